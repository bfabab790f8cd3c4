// Plays the service manager: receives what a program sends with sd_notify(3).
//
//   NotifySocket manager;
//   Subprocess agent({.argv = ..., .env = {{"NOTIFY_SOCKET", manager.path()}}});
//   EXPECT_EQ(manager.Next(absl::Seconds(10)), "READY=1\nSTATUS=idle");
#ifndef DSLAP_TESTS_SUPPORT_NOTIFY_SOCKET_H_
#define DSLAP_TESTS_SUPPORT_NOTIFY_SOCKET_H_

#include <string>

#include "absl/time/time.h"

namespace dslap {

// Not thread-safe. What fails aborts the test.
class NotifySocket {
 public:
  NotifySocket();
  ~NotifySocket();
  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;

  const std::string& path() const { return path_; }

  // The next message, at most `timeout` from now; "" when none came.
  std::string Next(absl::Duration timeout);

  // True when a message that is exactly `text` comes; those before it are dropped.
  bool AwaitMessage(const std::string& text, absl::Duration timeout);

  // Drops what has come so far.
  void Drop();

 private:
  std::string path_;
  int fd_;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_SUPPORT_NOTIFY_SOCKET_H_
