#include "agent/service/listen_address.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace dslap {
namespace {

TEST(ListenAddressTest, NumericAddressesStayAsTheyAre) {
  absl::StatusOr<ListenAddress> address = ResolveListenAddress("127.0.0.1:7527");
  ASSERT_TRUE(address.ok());
  EXPECT_EQ(address->numeric, "127.0.0.1:7527");
  EXPECT_TRUE(address->loopback);
  address = ResolveListenAddress("[::1]:0");
  ASSERT_TRUE(address.ok());
  EXPECT_EQ(address->numeric, "[::1]:0");
  EXPECT_TRUE(address->loopback);
  address = ResolveListenAddress("192.168.1.1:65535");
  ASSERT_TRUE(address.ok());
  EXPECT_EQ(address->numeric, "192.168.1.1:65535");
  EXPECT_FALSE(address->loopback);
  EXPECT_FALSE(ResolveListenAddress("[::]:1")->loopback);
  EXPECT_FALSE(ResolveListenAddress("128.0.0.1:1")->loopback);
}

TEST(ListenAddressTest, NamesBecomeNumbers) {
  const absl::StatusOr<ListenAddress> address = ResolveListenAddress("localhost:7527");
  ASSERT_TRUE(address.ok());
  EXPECT_EQ(address->numeric, "127.0.0.1:7527");
  EXPECT_TRUE(address->loopback);
}

TEST(ListenAddressTest, Malformed) {
  for (const std::string text : {"", ":", "host", ":7527", "host:", "host:x", "host:-1", "host:+1",
                                 "host: 1", "host:65536", "::1:7527", "[]:1", "host:99999999999"}) {
    EXPECT_EQ(ResolveListenAddress(text).status(),
              absl::InvalidArgumentError(
                  absl::StrCat("'", text,
                               "' is no address to listen on: give HOST:PORT with a port from 0 to "
                               "65535, such as 127.0.0.1:7527 or [::1]:7527")));
  }
}

TEST(ListenAddressTest, UnknownName) {
  const absl::Status status = ResolveListenAddress("no-such-host.invalid:1").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(absl::StartsWith(status.message(), "host 'no-such-host.invalid' to listen on: "))
      << status;
}

TEST(ListenAddressTest, SaysThatAPortIsInUse) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(bind(fd, generic, size), 0);
  ASSERT_EQ(listen(fd, 1), 0);
  ASSERT_EQ(getsockname(fd, generic, &size), 0);
  const std::string numeric = absl::StrCat("127.0.0.1:", ntohs(address.sin_port));
  const absl::Status in_use = ListenOn(numeric).status();
  EXPECT_EQ(in_use.message(), absl::StrCat("listen on ", numeric, ": Address already in use"));
  close(fd);
  const absl::StatusOr<ListeningSocket> free_now = ListenOn(numeric);
  ASSERT_TRUE(free_now.ok()) << free_now.status();
  EXPECT_EQ(AddressOf(free_now->fd), numeric);
  EXPECT_EQ(free_now->port, ntohs(address.sin_port));
  close(free_now->fd);
}

TEST(ListenAddressTest, SaysThatAnAddressIsNotOurs) {
  EXPECT_EQ(ListenOn("192.0.2.1:1234").status().message(),
            "listen on 192.0.2.1:1234: Cannot assign requested address");
}

}  // namespace
}  // namespace dslap
