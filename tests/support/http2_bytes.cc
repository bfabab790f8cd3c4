#include "tests/support/http2_bytes.h"

#include "absl/strings/str_cat.h"

namespace dslap {
namespace {

std::string HpackString(absl::string_view text) {
  return absl::StrCat(std::string(1, static_cast<char>(text.size())), text);
}

}  // namespace

std::string Http2Frame(uint8_t type, uint8_t flags, uint32_t stream, absl::string_view payload) {
  std::string frame;
  for (const int shift : {16, 8, 0}) frame += static_cast<char>(payload.size() >> shift);
  frame += static_cast<char>(type);
  frame += static_cast<char>(flags);
  for (const int shift : {24, 16, 8, 0}) frame += static_cast<char>(stream >> shift);
  return absl::StrCat(frame, payload);
}

std::string GrpcHeaders(absl::string_view path) {
  // POST, http, :path, then two with names of their own.
  return absl::StrCat("\x83\x86\x04", HpackString(path), std::string(1, '\0'),
                      HpackString("content-type"), HpackString("application/grpc"),
                      std::string(1, '\0'), HpackString("te"), HpackString("trailers"));
}

}  // namespace dslap
