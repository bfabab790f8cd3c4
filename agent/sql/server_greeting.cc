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

}  // namespace

TlsOffer FindTlsOffer(std::string_view bytes) {
  if (bytes.size() <= kHeaderBytes) return TlsOffer::kIncomplete;
  const std::string_view greeting = bytes.substr(kHeaderBytes);
  if (greeting.front() != kProtocolVersion) return TlsOffer::kUnknown;
  const size_t version_end = greeting.find('\0', 1);
  if (version_end == std::string_view::npos) return TlsOffer::kIncomplete;
  const size_t second_byte = version_end + 1 + kBytesBeforeCapabilities + 1;
  if (greeting.size() <= second_byte) return TlsOffer::kIncomplete;
  const auto capabilities = static_cast<unsigned char>(greeting[second_byte]);
  return (capabilities & kTlsBitOfSecondByte) != 0 ? TlsOffer::kOffered : TlsOffer::kNotOffered;
}

}  // namespace dslap
