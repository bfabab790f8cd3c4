#include "agent/engine/connection_thread.h"

#include <chrono>
#include <utility>

#include "absl/status/statusor.h"

namespace dslap {
namespace {

// One interrupt is lost when it comes just before a connect begins.
constexpr int64_t kInterruptEveryNs = 20'000'000;

}  // namespace

ConnectionThread::ConnectionThread(std::unique_ptr<SqlConnection> connection,
                                   std::function<void(SqlConnection&)> body)
    : connection_(std::move(connection)) {
  absl::StatusOr<SmallStackThread> thread = SmallStackThread::Start([this, body = std::move(body)] {
    body(*connection_);
    connection_->Close();
    const std::lock_guard<std::mutex> lock(mu_);
    done_ = true;
    done_changed_.notify_all();
  });
  status_ = thread.status();
  if (thread.ok()) {
    thread_.emplace(*std::move(thread));
  } else {
    done_ = true;
  }
}

ConnectionThread::~ConnectionThread() {
  while (!AwaitDone(kInterruptEveryNs)) connection_->Interrupt();
}

bool ConnectionThread::AwaitDone(int64_t timeout_ns) {
  std::unique_lock<std::mutex> lock(mu_);
  return done_changed_.wait_for(lock, std::chrono::nanoseconds(timeout_ns), [&] { return done_; });
}

}  // namespace dslap
