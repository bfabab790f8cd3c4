// Where the clients of one event loop wait in one round: suspended, while the loop carries the
// others.
//
//   LoopHost host(&control, loop, /*connect_parallelism=*/32);
//   Client client(context, {.host = &host, ...});
//   loop->RunUntil([&] { return control_says_all_are_done; });
#ifndef DSLAP_AGENT_ENGINE_LOOP_HOST_H_
#define DSLAP_AGENT_ENGINE_LOOP_HOST_H_

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>

#include "agent/async/event_loop.h"
#include "agent/engine/round_control.h"

namespace dslap {

// Used on the loop's thread, but for Wake().
class LoopHost final : public ControlledHost, public EventLoop::Handler {
 public:
  // At most `connect_parallelism` clients of this loop connect at a time. Both outlive the host.
  LoopHost(RoundControl* control, EventLoop* loop, size_t connect_parallelism)
      : ControlledHost(control), loop_(loop), connect_parallelism_(connect_parallelism) {}
  ~LoopHost() override { loop_->Forget(this); }

  void ReleaseConnectSlot() override;
  bool StartWait(const Wait& wait, std::coroutine_handle<> waiter, bool* go_on) override;

  // Has the clients look again at what they wait for; see RoundControl. Thread-safe.
  void Wake() { loop_->Notify(this); }

  // Of the loop.
  void OnNotify() override;

 private:
  struct Waiter {
    std::coroutine_handle<> coroutine;
    bool* go_on;
  };

  bool TakeSlot(Waiter waiter);
  bool Pause(int64_t pause_ns, Waiter waiter);
  bool PassGate(Waiter waiter);
  void Release(const Waiter& waiter, bool go_on);

  EventLoop* const loop_;
  const size_t connect_parallelism_;
  size_t connecting_ = 0;
  std::deque<Waiter> for_slot_;
  std::deque<Waiter> at_gate_;
  // The pauses by number, so that one can be ended early.
  struct Paused {
    Waiter waiter;
    EventLoop::TimerId timer;
  };
  std::map<uint64_t, Paused> paused_;
  uint64_t last_pause_ = 0;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_LOOP_HOST_H_
