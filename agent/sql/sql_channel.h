// How a connection to the database goes: what it was asked to be and what it became may differ.
#ifndef DSLAP_AGENT_SQL_SQL_CHANNEL_H_
#define DSLAP_AGENT_SQL_SQL_CHANNEL_H_

#include <compare>
#include <string>

namespace dslap {

struct SqlChannel {
  bool unix_socket = false;  // else TCP
  std::string tls_cipher;    // as OpenSSL names it; empty: not encrypted
  std::string tls_version;   // "TLSv1.3"; empty: not encrypted, or the client library does not say

  // NOLINTNEXTLINE(modernize-use-nullptr): clang 14 means the comparison that the compiler writes
  auto operator<=>(const SqlChannel&) const = default;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SQL_SQL_CHANNEL_H_
