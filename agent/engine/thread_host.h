// Where clients that each have a thread of their own wait: every wait blocks the thread.
//
//   ThreadHost host(&control, /*connect_parallelism=*/64, clock);
//   Client client(context, {.host = &host, ...});
#ifndef DSLAP_AGENT_ENGINE_THREAD_HOST_H_
#define DSLAP_AGENT_ENGINE_THREAD_HOST_H_

#include <condition_variable>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "agent/engine/round_control.h"
#include "common/clock.h"

namespace dslap {

// Thread-safe. Made anew for every round.
class ThreadHost final : public ControlledHost {
 public:
  // At most `connect_parallelism` clients connect at a time.
  ThreadHost(RoundControl* control, size_t connect_parallelism, Clock* clock);

  void ReleaseConnectSlot() override;
  bool StartWait(const Wait& wait, std::coroutine_handle<> waiter, bool* go_on) override;

  // Has the clients look again at what they wait for; see RoundControl.
  void WakeClients();

 private:
  bool WaitForSlot();
  bool WaitForPause(int64_t pause_ns);
  bool WaitAtGate();

  const size_t connect_parallelism_;
  Clock* const clock_;

  std::mutex mu_;  // std::mutex: see round_control.h
  std::condition_variable slot_free_;
  std::condition_variable pause_over_;
  size_t connecting_ = 0;  // guarded by mu_
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_THREAD_HOST_H_
