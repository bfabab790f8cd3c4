#include "agent/async/aside_threads.h"

#include <chrono>
#include <iterator>
#include <utility>

#include "absl/status/statusor.h"

namespace dslap {
namespace {

// How long a thread waits for more work before it ends.
constexpr std::chrono::milliseconds kPatience(200);

}  // namespace

AsideThreads::~AsideThreads() {
  {
    const std::lock_guard<std::mutex> lock(mu_);
    ending_ = true;
    changed_.notify_all();
  }
  helpers_.clear();  // joins
}

bool AsideThreads::Run(std::function<void()> work) {
  std::list<Helper> ended;  // joined after the lock is released
  const std::lock_guard<std::mutex> lock(mu_);
  for (auto helper = helpers_.begin(); helper != helpers_.end();) {
    const auto next = std::next(helper);
    if (helper->ended) ended.splice(ended.end(), helpers_, helper);
    helper = next;
  }
  if (idle_ <= waiting_.size() && helpers_.size() < most_) {
    Helper& helper = helpers_.emplace_back();
    absl::StatusOr<SmallStackThread> thread =
        SmallStackThread::Start([this, &helper] { Loop(&helper); });
    if (thread.ok()) {
      helper.thread.emplace(*std::move(thread));
    } else {
      helpers_.pop_back();
    }
  }
  if (helpers_.empty()) return false;
  waiting_.push_back(std::move(work));
  changed_.notify_one();
  return true;
}

void AsideThreads::Loop(Helper* helper) {
  std::unique_lock<std::mutex> lock(mu_);
  for (;;) {
    ++idle_;
    const bool wanted =
        changed_.wait_for(lock, kPatience, [&] { return ending_ || !waiting_.empty(); });
    --idle_;
    if (!wanted || waiting_.empty()) break;
    const std::function<void()> work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    work();
    lock.lock();
  }
  helper->ended = true;
}

}  // namespace dslap
