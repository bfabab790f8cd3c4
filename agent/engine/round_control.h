// The state of one round that its clients and its engine share, however the clients are carried:
// who is ready, whether the gate is open, whether a stop was asked for.
//
//   clients, through their ClientHost:  NoteAtGate(), ConnectFailed(), StopOnError(), ClientDone()
//   engine:                             AwaitPreparedOrStop(), AwaitOpening(), OpenGate(),
//                                       AwaitDoneOrStop(), RequestStop()
//
// Locks are std::mutex, not absl::Mutex: ThreadSanitizer does not see into the packaged Abseil.
#ifndef DSLAP_AGENT_ENGINE_ROUND_CONTROL_H_
#define DSLAP_AGENT_ENGINE_ROUND_CONTROL_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>

#include "agent/engine/client_host.h"
#include "agent/engine/load_engine.h"
#include "common/clock.h"

namespace dslap {

// Thread-safe. Made anew for every round.
class RoundControl {
 public:
  enum class Gate : int { kShut, kOpen, kBarred };

  // `wake_clients` is called, by any thread, after something changed that clients wait for: the
  // gate, or whether connecting goes on. Not after Close(); it must not call back.
  RoundControl(size_t clients, int64_t connect_interval_ns, Clock* clock,
               std::function<void()> wake_clients);
  RoundControl(const RoundControl&) = delete;
  RoundControl& operator=(const RoundControl&) = delete;

  // Of the clients; see ClientHost.
  int64_t TakeConnectTurn();
  void ConnectFailed(ConnectVerdict verdict);
  void StopOnError();
  StopStage stop_stage() const { return stop_stage_.load(std::memory_order_relaxed); }
  bool connecting_given_up() const { return connecting_given_up_.load(); }
  void NoteAtGate();
  Gate gate() const { return gate_.load(); }
  // Blocks while the gate is shut. True: it is open.
  bool BlockAtGate() const;
  // A client's last act, or the engine's for a client that could not be started.
  void ClientDone(bool was_at_gate);

  // The first cause stays, the earliest end of grace wins. The gate, if shut, stays shut.
  void RequestStop(RoundStopCause cause, int64_t grace_ns);
  RoundStopCause stop_cause() const;
  bool stopped() const { return stop_stage() != StopStage::kGoOn; }

  // True: every client is at the gate or done. False: a stop was requested before.
  bool AwaitPreparedOrStop();
  bool AwaitPrepared(int64_t timeout_ns);
  // Waits for an instant of the clock, to within a fraction of a millisecond where the thread gets
  // a core, and opens the gate if it may (see RoundSpec). As OpenGate().
  int64_t OpenGateAt(int64_t open_at_ns, const std::function<bool()>& may_open = nullptr);
  // Lets all clients go at once. The instant, or 0 when a stop came first.
  int64_t OpenGate();
  // True: every client is done. False: a stop was requested, or the time is over.
  bool AwaitDoneOrStop();
  bool AwaitDoneOrGraceOver();
  bool AwaitDone(int64_t timeout_ns);
  // When no client is left to be woken. A stop may still come, and changes nothing.
  void Close();

  // From now on clients send nothing more.
  void EnterKilling() { stop_stage_.store(StopStage::kKilling, std::memory_order_relaxed); }

 private:
  bool AwaitUntil(std::unique_lock<std::mutex>& lock, int64_t deadline_ns,
                  const std::function<bool()>& condition);
  void NotePrepared();  // mu_ held
  void WakeClients();

  const size_t clients_;
  const int64_t connect_interval_ns_;
  Clock* const clock_;
  std::mutex wake_mu_;
  std::function<void()> wake_clients_;  // guarded by wake_mu_; empty: closed
  // Written with mu_ held, the first also by the engine without.
  std::atomic<StopStage> stop_stage_{StopStage::kGoOn};
  std::atomic<Gate> gate_{Gate::kShut};
  std::atomic<bool> connecting_given_up_{false};

  // All below is guarded by mu_.
  mutable std::mutex mu_;
  std::condition_variable engine_wakes_;
  int64_t next_connect_ns_ = 0;
  size_t at_gate_ = 0;
  size_t prepared_ = 0;
  size_t done_ = 0;
  RoundStopCause stop_cause_ = RoundStopCause::kNone;
  int64_t grace_ends_ns_ = INT64_MAX;
};

// What every ClientHost passes on to the round's control. Not for use from other threads than the
// clients'.
class ControlledHost : public ClientHost {
 public:
  // `control` outlives the host.
  explicit ControlledHost(RoundControl* control) : control_(control) {}
  int64_t TakeConnectTurn() override { return control_->TakeConnectTurn(); }
  void ConnectFailed(ConnectVerdict verdict) override { control_->ConnectFailed(verdict); }
  void StopOnError() override { control_->StopOnError(); }
  StopStage stop_stage() const override { return control_->stop_stage(); }

 protected:
  RoundControl* control() const { return control_; }

 private:
  RoundControl* const control_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_ROUND_CONTROL_H_
