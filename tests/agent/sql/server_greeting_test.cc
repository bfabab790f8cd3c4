#include "agent/sql/server_greeting.h"

#include <string>

#include "gtest/gtest.h"

namespace dslap {
namespace {

using std::string_literals::operator""s;

constexpr char kTls = 0x08;

// A greeting as servers send it, with this second byte of the capabilities.
std::string Greeting(const std::string& version, char capabilities) {
  const std::string body = "\x0a"s + version + "\0"s +
                           "\x01\x00\x00\x00"s  // connection id
                           "abcdefgh"           // scramble
                           "\0"s +
                           "\xff"s + std::string(1, capabilities) + "\x2d\x02\x00\xff\x81\x15"s;
  return std::string(1, static_cast<char>(body.size())) + "\0\0\0"s + body;
}

TEST(ServerGreetingTest, TlsIsOfferedOrNot) {
  EXPECT_EQ(FindTlsOffer(Greeting("9.7.4", kTls)), TlsOffer::kOffered);
  EXPECT_EQ(FindTlsOffer(Greeting("9.7.4", '\xff')), TlsOffer::kOffered);
  EXPECT_EQ(FindTlsOffer(Greeting("9.7.4", 0)), TlsOffer::kNotOffered);
  EXPECT_EQ(FindTlsOffer(Greeting("5.5.5-10.11.19-MariaDB", static_cast<char>(~kTls))),
            TlsOffer::kNotOffered);
}

TEST(ServerGreetingTest, EveryBeginningIsIncompleteUntilTheCapabilities) {
  const std::string whole = Greeting("8.0", kTls);
  // 4 of the header, 1 of the protocol, 4 of the version, 13 up to the capabilities, and 2 of
  // those.
  const size_t needed = 4 + 1 + 4 + 13 + 2;
  for (size_t size = 0; size <= whole.size(); ++size) {
    EXPECT_EQ(FindTlsOffer(whole.substr(0, size)),
              size < needed ? TlsOffer::kIncomplete : TlsOffer::kOffered)
        << size;
  }
}

// Bytes behind the packet were taken for its own.
TEST(ServerGreetingTest, PacketThatEndsBeforeTheCapabilitiesOffersNothing) {
  const std::string whole = Greeting("8.0", kTls);
  for (size_t length = 0; length < 1 + 4 + 13 + 2; ++length) {
    std::string cut = whole;
    cut[0] = static_cast<char>(length);
    EXPECT_EQ(FindTlsOffer(cut), TlsOffer::kNotOffered) << length;
  }
}

TEST(ServerGreetingTest, OtherPacketsAreNoGreeting) {
  EXPECT_EQ(FindTlsOffer("\x17\0\0\0\xff\x10\x04Too many connections"s), TlsOffer::kUnknown);
  EXPECT_EQ(FindTlsOffer("HTTP/1.1 400 Bad Request"), TlsOffer::kUnknown);
}

}  // namespace
}  // namespace dslap
