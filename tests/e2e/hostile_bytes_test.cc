// Callers that speak something else than gRPC to an agent, or gRPC that makes no sense.
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/e2e_checks.h"
#include "tests/e2e/hostile_target.h"
#include "tests/support/link_certificates.h"
#include "tests/support/raw_socket.h"
#include "tests/support/sandbox_database.h"

namespace dslap {
namespace {

using ::testing::HasSubstr;

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

std::string RandomBytes(uint32_t seed, size_t size) {
  std::mt19937 random(seed);
  std::string bytes;
  while (bytes.size() < size) bytes += static_cast<char>(random());
  return bytes;
}

// What a TLS client says first: the head of a record, a ClientHello, its version, and noise.
std::string ClientHello() {
  return absl::StrCat(std::string("\x16\x03\x01\x01\x04\x01\x00\x01\x00\x03\x03", 11),
                      RandomBytes(3, 253));
}

const std::vector<std::pair<std::string, std::string>>& Nonsense() {
  static const auto* const nonsense = new std::vector<std::pair<std::string, std::string>>{
      {"GET", "GET / HTTP/1.1\r\nHost: agent\r\nUser-Agent: curl/7.88.1\r\n\r\n"},
      {"POST",
       "POST /dslap.v1.Agent/GetInfo HTTP/1.1\r\nHost: agent\r\nContent-Length: 5\r\n"
       "\r\nhello"},
      {"noise", RandomBytes(1, 4096)},
      {"much noise", RandomBytes(2, 1 << 20)},
      {"preface, then noise", absl::StrCat(kHttp2Preface, RandomBytes(4, 4096))},
      {"preface twice", absl::StrCat(kHttp2Preface, kHttp2Preface)},
      {"settings of an odd size",
       absl::StrCat(kHttp2Preface, Http2Frame(kHttp2Settings, 0, 0, "12345"))},
      {"a ping of an odd size", absl::StrCat(kHttp2Preface, Http2Frame(kHttp2Settings, 0, 0, ""),
                                             Http2Frame(kHttp2Ping, 0, 0, "x"))},
      {"a frame larger than allowed",
       absl::StrCat(kHttp2Preface, Http2Frame(kHttp2Settings, 0, 0, ""),
                    Http2Frame(kHttp2Data, 0, 1, std::string(5 << 20, 'x')))},
  };
  return *nonsense;
}

// All of it at once, and each is shown the door.
void SayNonsense(HostileTarget* target) {
  std::vector<RawSocket> sockets;
  for (const auto& [what, bytes] : Nonsense()) {
    sockets.emplace_back(target->address());
    ASSERT_TRUE(sockets.back().connected()) << what;
    sockets.back().Send(bytes);
  }
  for (size_t i = 0; i < sockets.size(); ++i) {
    EXPECT_TRUE(sockets[i].AwaitEnd(kFewSeconds)) << Nonsense()[i].first;
    EXPECT_THAT(sockets[i].received(), testing::Not(HasSubstr("dslap"))) << "it says who it is";
  }
}

TEST(HostileBytesTest, NonsenseInPlainText) {
  HostileTarget target;
  ASSERT_TRUE(target.Start());
  SayNonsense(&target);
  RawSocket tls(target.address());
  tls.Send(ClientHello());
  EXPECT_TRUE(tls.AwaitEnd(kFewSeconds));
  const int all = static_cast<int>(Nonsense().size()) + 1;
  EXPECT_TRUE(target.AwaitRefused("no_call", all)) << target.Refused("no_call");
  EXPECT_EQ(target.AwaitLinesWith(": what it sent is no call of this agent"), 1);
  target.ExpectUnharmed(1);
}

TEST(HostileBytesTest, NonsenseToAPortWithTls) {
  const LinkCertificates ours;
  HostileTarget target(ours.AgentArguments(), ours.ControllerArguments());
  ASSERT_TRUE(target.Start());
  SayNonsense(&target);
  const int all = static_cast<int>(Nonsense().size());
  EXPECT_TRUE(target.AwaitRefused("handshake", all)) << target.Refused("handshake");
  EXPECT_EQ(target.AwaitLinesWith(": TLS: "), 1);
  target.ExpectUnharmed(1);
}

TEST(HostileBytesTest, CallsThatNobodyServes) {
  HostileTarget target;
  ASSERT_TRUE(target.Start());
  std::vector<RawSocket> sockets;
  for (const std::string path :
       {"/dslap.v1.Agent/NoSuchMethod", "/no.such.Service/Run", "/", "x", "/../../etc/passwd"}) {
    RawSocket& socket = sockets.emplace_back(target.address());
    socket.Send(absl::StrCat(kHttp2Preface, Http2Frame(kHttp2Settings, 0, 0, ""),
                             Http2Frame(kHttp2Headers, kHttp2EndHeaders, 1, GrpcHeaders(path))));
    EXPECT_FALSE(socket.AwaitEnd(absl::Milliseconds(100))) << "the connection may stay: " << path;
    EXPECT_THAT(socket.received(), HasSubstr("grpc-status")) << path;
    socket.HangUp();
  }
  target.ExpectUnharmed(1);
}

TEST(HostileBytesTest, HeadersWithoutEnd) {
  HostileTarget target;
  ASSERT_TRUE(target.Start());
  RawSocket socket(target.address());
  // A field of 16 KiB in each of the frames, none of which is the last.
  std::string field = std::string("\0\x01x\x7f\x81\x7f", 6);
  field.append(127 + 1 + (0x7f << 7), 'x');
  std::string flood = absl::StrCat(kHttp2Preface, Http2Frame(kHttp2Settings, 0, 0, ""),
                                   Http2Frame(kHttp2Headers, 0, 1, GrpcHeaders("/x/y")));
  const uint8_t continuation = 9;
  for (int i = 0; i < 4096; ++i) absl::StrAppend(&flood, Http2Frame(continuation, 0, 1, field));
  socket.Send(flood);
  EXPECT_LE(target.Figures().rss_bytes, int64_t{256} << 20) << "64 MiB of headers are not kept";
  socket.HangUp();
  target.ExpectUnharmed(1);
}

}  // namespace
}  // namespace dslap
