// What a client needs from the engine that runs it: the places where it waits, and where it says
// how it is getting on. The seam that lets the same client run on a thread of its own (ThreadHost)
// or share a thread with others.
//
//   if (!co_await host->Gate()) co_return;   // shut: the round was stopped before it began
#ifndef DSLAP_AGENT_ENGINE_CLIENT_HOST_H_
#define DSLAP_AGENT_ENGINE_CLIENT_HOST_H_

#include <coroutine>
#include <cstdint>

#include "agent/engine/connect_policy.h"

namespace dslap {

enum class StopStage : uint8_t {
  kGoOn,
  kFinishStatement,  // no client begins another statement; a pending COMMIT is still sent
  kKilling,          // statements that run are being killed; nothing more is sent
};

// Called by the clients of one round, each on the thread that runs it.
class ClientHost {
 public:
  class Awaiter;

  struct Wait {
    enum class Kind { kConnectSlot, kPause, kGate };
    Kind kind = Kind::kGate;
    int64_t pause_ns = 0;
  };

  virtual ~ClientHost() = default;

  // Each gives false when the client shall not go on: the round was stopped, the gate shut, or (not
  // the gate) connecting was found hopeless.
  Awaiter ConnectSlot();  // when true, to be given back by ReleaseConnectSlot()
  Awaiter Pause(int64_t pause_ns);
  Awaiter Gate();

  virtual void ReleaseConnectSlot() = 0;
  // How long a client that has a slot is to wait before it connects, so that connections begin no
  // faster than asked for. Each call takes a turn.
  virtual int64_t TakeConnectTurn() { return 0; }

  // The client gives up before the gate. kRetry: what may heal has not in the time there is.
  virtual void ConnectFailed(ConnectVerdict verdict) = 0;

  // A statement failed and the policy says stop. Idempotent.
  virtual void StopOnError() = 0;

  virtual StopStage stop_stage() const = 0;

  // Begins a wait. True: it is over and `*go_on` is filled. False: `waiter` is resumed when it is
  // over; `go_on` lives until then.
  virtual bool StartWait(const Wait& wait, std::coroutine_handle<> waiter, bool* go_on) = 0;
};

class [[nodiscard]] ClientHost::Awaiter {
 public:
  Awaiter(ClientHost* host, Wait wait) : host_(host), wait_(wait) {}

  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> waiter) {
    return !host_->StartWait(wait_, waiter, &go_on_);
  }
  bool await_resume() const { return go_on_; }

 private:
  ClientHost* host_;
  Wait wait_;
  bool go_on_ = false;
};

inline ClientHost::Awaiter ClientHost::ConnectSlot() {
  return {this, {Wait::Kind::kConnectSlot, 0}};
}
inline ClientHost::Awaiter ClientHost::Pause(int64_t pause_ns) {
  return {this, {Wait::Kind::kPause, pause_ns}};
}
inline ClientHost::Awaiter ClientHost::Gate() { return {this, {Wait::Kind::kGate, 0}}; }

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_CLIENT_HOST_H_
