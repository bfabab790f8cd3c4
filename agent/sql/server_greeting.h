// What the server's first packet says of TLS. The client library reads the packet itself; this is
// a look at it beforehand, so that a password is never sent in a way that was not asked for.
#ifndef DSLAP_AGENT_SQL_SERVER_GREETING_H_
#define DSLAP_AGENT_SQL_SERVER_GREETING_H_

#include <string_view>

namespace dslap {

enum class TlsOffer {
  kIncomplete,  // more bytes are needed to say
  kOffered,
  kNotOffered,
  kUnknown,  // no greeting: an error packet, or another protocol
};

// `bytes`: what has come so far, from the first byte on.
TlsOffer FindTlsOffer(std::string_view bytes);

}  // namespace dslap

#endif  // DSLAP_AGENT_SQL_SERVER_GREETING_H_
