// A LoadEngine that runs no load: the test says when a round is prepared, opens and ends.
//
//   FakeLoadEngine engine;
//   engine.set_prepare_outcome(outcome);
//   engine.HoldPrepare();                 // Prepare() blocks until ReleasePrepare() or Stop()
//   engine.HoldRun();                     // Run() opens the gate, blocks until ReleaseRun() or
//   Stop()
#ifndef DSLAP_TESTS_FAKES_FAKE_LOAD_ENGINE_H_
#define DSLAP_TESTS_FAKES_FAKE_LOAD_ENGINE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "agent/engine/load_engine.h"
#include "common/clock.h"

namespace dslap {

// What a test sets and sees; outlives the engines that a session makes and drops. Thread-safe.
class FakeLoadEngineControl {
 public:
  struct StopCall {
    RoundStopCause cause;
    int64_t grace_ns;
  };

  void HoldPrepare();
  void ReleasePrepare();
  // Holds before the gate opens (armed), or after (running).
  void HoldGate();
  void ReleaseGate();
  void HoldRun();
  void ReleaseRun();
  // While set, Stop() is recorded but changes nothing: an engine that lost it, or hangs.
  void IgnoreStops(bool ignore);
  // Holds CloseAll().
  void HoldClose();
  void ReleaseClose();

  void set_prepare_outcome(PrepareOutcome outcome);
  void set_run_outcome(RoundOutcome outcome);
  void set_counters(LiveCounters counters);

  std::vector<RoundSpec> specs() const;
  std::vector<StopCall> stops() const;
  std::vector<int64_t> open_at_ns() const;
  // "prepare 1", "run", "close all", "destroyed": in order.
  std::vector<std::string> calls() const;
  // Waits, at most 10 s, until `count` calls of this text were made. False: they were not.
  bool AwaitCall(const std::string& call, int count = 1) const;
  // The same for Stop().
  bool AwaitStop() const;

 private:
  friend class FakeLoadEngine;

  mutable absl::Mutex mu_;
  bool hold_prepare_ = false;
  bool hold_gate_ = false;
  bool hold_run_ = false;
  bool hold_close_ = false;
  bool ignore_stops_ = false;
  bool stopped_ = false;
  RoundStopCause stop_cause_ = RoundStopCause::kNone;
  PrepareOutcome prepare_outcome_;
  RoundOutcome run_outcome_;
  LiveCounters counters_;
  std::vector<RoundSpec> specs_;
  std::vector<StopCall> stops_;
  std::vector<int64_t> open_at_ns_;
  std::vector<std::string> calls_;
};

class FakeLoadEngine final : public LoadEngine {
 public:
  // `control` and `clock` must outlive the engine.
  FakeLoadEngine(FakeLoadEngineControl* control, Clock* clock) : control_(control), clock_(clock) {}
  ~FakeLoadEngine() override;

  PrepareOutcome Prepare(const RoundSpec& spec) override;
  RoundOutcome Run(int64_t open_at_ns, const std::function<void(int64_t)>& on_open) override;
  void Stop(RoundStopCause cause, int64_t grace_ns) override;
  void CloseAll() override;
  LiveCounters Counters() const override;

 private:
  FakeLoadEngineControl* const control_;
  Clock* const clock_;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_FAKES_FAKE_LOAD_ENGINE_H_
