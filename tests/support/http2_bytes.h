// HTTP/2 and its gRPC headers, byte by byte, for callers that do not mean well.
//
//   socket.Send(kHttp2Preface + Http2Frame(kHttp2Settings, 0, 0, ""));
#ifndef DSLAP_TESTS_SUPPORT_HTTP2_BYTES_H_
#define DSLAP_TESTS_SUPPORT_HTTP2_BYTES_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace dslap {

// The beginning of HTTP/2 as a client says it, and a frame of it.
inline constexpr char kHttp2Preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
std::string Http2Frame(uint8_t type, uint8_t flags, uint32_t stream, absl::string_view payload);
inline constexpr uint8_t kHttp2Data = 0;
inline constexpr uint8_t kHttp2Headers = 1;
inline constexpr uint8_t kHttp2Settings = 4;
inline constexpr uint8_t kHttp2Ping = 6;
inline constexpr uint8_t kHttp2EndHeaders = 4;  // a flag

// The header block of a gRPC call of `path` (HPACK, nothing indexed but the names that always are).
std::string GrpcHeaders(absl::string_view path);

}  // namespace dslap

#endif  // DSLAP_TESTS_SUPPORT_HTTP2_BYTES_H_
