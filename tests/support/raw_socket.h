// A TCP connection of a test to a program under test, byte by byte.
//
//   RawSocket socket(agent.address());
//   socket.Send("GET / HTTP/1.1\r\n\r\n");
//   EXPECT_TRUE(socket.AwaitEnd(absl::Seconds(10)));
#ifndef DSLAP_TESTS_SUPPORT_RAW_SOCKET_H_
#define DSLAP_TESTS_SUPPORT_RAW_SOCKET_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace dslap {

// Closed by the destructor. Not thread-safe.
class RawSocket {
 public:
  // `address`: "127.0.0.1:41234". One that cannot be reached leaves a socket that has ended.
  explicit RawSocket(const std::string& address);
  ~RawSocket();
  RawSocket(RawSocket&& other) noexcept;
  RawSocket(const RawSocket&) = delete;
  RawSocket& operator=(const RawSocket&) = delete;

  bool connected() const { return fd_ >= 0; }
  // Of this end: "127.0.0.1:51234".
  const std::string& name() const { return name_; }

  // False: the other side is gone.
  bool Send(absl::string_view bytes);
  // True when the other side hung up, in whatever way, within `timeout`. What it sent is in
  // received().
  bool AwaitEnd(absl::Duration timeout);
  const std::string& received() const { return received_; }
  void HangUp();

 private:
  int fd_ = -1;
  std::string name_;
  std::string received_;
};

// The body of the answer to GET `url` ("http://127.0.0.1:9527/metrics"); with another status than
// 200 the whole answer.
std::string HttpGet(const std::string& url);

}  // namespace dslap

#endif  // DSLAP_TESTS_SUPPORT_RAW_SOCKET_H_
