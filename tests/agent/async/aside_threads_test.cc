#include "agent/async/aside_threads.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "gtest/gtest.h"

namespace dslap {
namespace {

TEST(AsideThreadsTest, AllWorkIsDoneBeforeTheEnd) {
  std::atomic<int> done{0};
  {
    AsideThreads threads(3);
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(threads.Run([&] { ++done; }));
  }
  EXPECT_EQ(done, 100);
}

TEST(AsideThreadsTest, AsManyRunAtATimeAsAllowed) {
  std::mutex mu;
  std::condition_variable changed;
  int running = 0;
  int most = 0;
  std::set<std::thread::id> ids;
  {
    AsideThreads threads(4);
    for (int i = 0; i < 40; ++i) {
      EXPECT_TRUE(threads.Run([&] {
        std::unique_lock<std::mutex> lock(mu);
        ids.insert(std::this_thread::get_id());
        most = std::max(most, ++running);
        changed.notify_all();
        // Until four have met here once.
        changed.wait(lock, [&] { return most == 4; });
        --running;
      }));
    }
  }
  EXPECT_EQ(most, 4);
  EXPECT_EQ(ids.size(), 4U);
  EXPECT_EQ(ids.count(std::this_thread::get_id()), 0U);
}

}  // namespace
}  // namespace dslap
