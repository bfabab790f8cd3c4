#include "agent/sql/server_greeting.h"

#include <cstddef>

namespace dslap {
namespace {

// A packet: 3 bytes of length, 1 of sequence, then the greeting: protocol version, server version
// ending in NUL, 4 bytes of connection id, 8 of scramble, a filler, and 2 bytes of capabilities.
constexpr size_t kHeaderBytes = 4;
constexpr char kProtocolVersion = 10;
constexpr size_t kBytesBeforeCapabilities = 4 + 8 + 1;
constexpr unsigned char kTlsBitOfSecondByte = 0x08;  // CLIENT_SSL, 0x0800 of the two bytes

size_t LengthOf(std::string_view header) {
  const auto byte = [&](size_t i) { return size_t{static_cast<unsigned char>(header[i])}; };
  return byte(0) | byte(1) << 8 | byte(2) << 16;
}

}  // namespace

TlsOffer FindTlsOffer(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) return TlsOffer::kIncomplete;
  // What follows the packet is not part of the greeting, whatever it looks like.
  const size_t length = LengthOf(bytes);
  const std::string_view greeting = bytes.substr(kHeaderBytes, length);
  const TlsOffer too_short =
      greeting.size() == length ? TlsOffer::kNotOffered : TlsOffer::kIncomplete;
  if (greeting.empty()) return too_short;
  if (greeting.front() != kProtocolVersion) return TlsOffer::kUnknown;
  const size_t version_end = greeting.find('\0', 1);
  if (version_end == std::string_view::npos) return too_short;
  const size_t second_byte = version_end + 1 + kBytesBeforeCapabilities + 1;
  if (greeting.size() <= second_byte) return too_short;
  const auto capabilities = static_cast<unsigned char>(greeting[second_byte]);
  return (capabilities & kTlsBitOfSecondByte) != 0 ? TlsOffer::kOffered : TlsOffer::kNotOffered;
}

}  // namespace dslap
