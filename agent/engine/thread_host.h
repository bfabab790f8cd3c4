// The meeting point of one round: where the clients, each on a thread of its own, wait, and where
// the engine waits for them. Made anew for every round.
//
//   clients:  Client::Run() through ClientHost, then ClientDone()
//   engine:   AwaitPreparedOrStop(), AwaitOpening(), OpenGate(), AwaitDoneOrStop()
//
// Locks are std::mutex, not absl::Mutex: ThreadSanitizer does not see into the packaged Abseil.
#ifndef DSLAP_AGENT_ENGINE_THREAD_HOST_H_
#define DSLAP_AGENT_ENGINE_THREAD_HOST_H_

#include <atomic>
#include <condition_variable>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>

#include "agent/engine/client_host.h"
#include "agent/engine/load_engine.h"
#include "common/clock.h"

namespace dslap {

// Thread-safe.
class ThreadHost final : public ClientHost {
 public:
  // At most `connect_parallelism` clients connect at a time.
  ThreadHost(size_t clients, size_t connect_parallelism, Clock* clock);

  // Of the clients; see ClientHost. Every wait blocks.
  void ReleaseConnectSlot() override;
  void ConnectFailed(ConnectVerdict verdict) override;
  void StopOnError() override;
  StopStage stop_stage() const override { return stop_stage_.load(std::memory_order_relaxed); }
  bool StartWait(const Wait& wait, std::coroutine_handle<> waiter, bool* go_on) override;
  // The client's last act, or the engine's for a client that could not be started.
  void ClientDone(bool was_at_gate);

  // The first cause stays, the earliest end of grace wins. The gate, if shut, stays shut.
  void RequestStop(RoundStopCause cause, int64_t grace_ns);
  RoundStopCause stop_cause() const;
  bool stopped() const { return stop_stage() != StopStage::kGoOn; }

  // True: every client is at the gate or done. False: a stop was requested before.
  bool AwaitPreparedOrStop();
  bool AwaitPrepared(int64_t timeout_ns);

  // Waits for an instant of the clock, to within a fraction of a millisecond. False: stopped.
  bool AwaitOpening(int64_t open_at_ns);
  // Lets all clients go at once. The instant, or 0 when a stop came first.
  int64_t OpenGate();

  // True: every client is done. False: a stop was requested, or the time is over.
  bool AwaitDoneOrStop();
  bool AwaitDoneOrGraceOver();
  bool AwaitDone(int64_t timeout_ns);

  // From now on clients send nothing more.
  void EnterKilling() { stop_stage_.store(StopStage::kKilling, std::memory_order_relaxed); }

 private:
  enum Gate : int { kShut, kOpen, kBarred };

  bool WaitForSlot();
  bool WaitForPause(int64_t pause_ns);
  bool WaitAtGate();
  bool AwaitUntil(std::unique_lock<std::mutex>& lock, std::condition_variable& changed,
                  int64_t deadline_ns, const std::function<bool()>& condition);
  bool GiveUpConnecting() const { return hopeless_ || stopped(); }  // mu_ held
  void NotePrepared();                                              // mu_ held

  const size_t clients_;
  const size_t connect_parallelism_;
  Clock* const clock_;

  std::atomic<StopStage> stop_stage_{StopStage::kGoOn};  // written with mu_ held, or by the engine
  std::atomic<Gate> gate_{kShut};                        // written with mu_ held

  // All below is guarded by mu_.
  mutable std::mutex mu_;
  std::condition_variable slot_free_;
  std::condition_variable pause_over_;
  std::condition_variable engine_wakes_;
  size_t connecting_ = 0;
  size_t at_gate_ = 0;
  size_t prepared_ = 0;
  size_t done_ = 0;
  bool hopeless_ = false;
  RoundStopCause stop_cause_ = RoundStopCause::kNone;
  int64_t grace_ends_ns_ = INT64_MAX;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_THREAD_HOST_H_
