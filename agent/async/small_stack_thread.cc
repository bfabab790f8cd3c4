#include "agent/async/small_stack_thread.h"

#include <cstddef>
#include <memory>

#include "common/status_util.h"

namespace dslap {
namespace {

// A TLS handshake and a host name look-up of the client library fit in a quarter of this.
// Sanitizers need several times more for the same code.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr size_t kStackBytes = size_t{2} << 20;
#else
constexpr size_t kStackBytes = size_t{256} << 10;
#endif

void* RunBody(void* argument) {
  const std::unique_ptr<std::function<void()>> body(static_cast<std::function<void()>*>(argument));
  (*body)();
  return nullptr;
}

}  // namespace

absl::StatusOr<SmallStackThread> SmallStackThread::Start(std::function<void()> body) {
  auto owned_body = std::make_unique<std::function<void()>>(std::move(body));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t handle{};
  const int error = pthread_create(&handle, &attributes, RunBody, owned_body.get());
  pthread_attr_destroy(&attributes);
  if (error != 0) {
    return ErrnoToStatus(error,
                         "start a thread (raise TasksMax=, ulimit -u or kernel.pid_max, or use "
                         "more agents)");
  }
  static_cast<void>(owned_body.release());  // RunBody() deletes it
  return SmallStackThread(handle);
}

SmallStackThread::~SmallStackThread() {
  if (handle_.has_value()) pthread_join(*handle_, nullptr);
}

}  // namespace dslap
