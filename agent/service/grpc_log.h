// What gRPC says in its own log, of which this program wants one thing: why TLS with a caller did
// not come about. gRPC tells that nowhere else, and there without the caller's address.
//
//   GrpcLog::Install();
//   std::string why = GrpcLog::TakeTlsError();      // "peer did not return a certificate"
#ifndef DSLAP_AGENT_SERVICE_GRPC_LOG_H_
#define DSLAP_AGENT_SERVICE_GRPC_LOG_H_

#include <string>

#include "absl/strings/string_view.h"

namespace dslap {

// Of the whole process, as gRPC's log is. Thread-safe.
class GrpcLog {
 public:
  // So many that nobody took are kept.
  static constexpr int kMostKept = 64;

  // Before gRPC is used. With GRPC_VERBOSITY in the environment (DEBUG, INFO, ERROR) everything of
  // that level is passed on to this program's log as well; without it, or with NONE, nothing is.
  static void Install();

  // The oldest that nobody has taken; empty: there is none.
  static std::string TakeTlsError();
};

// The reason in a line of gRPC's, as OpenSSL words it; empty when it is about something else.
std::string TlsErrorIn(absl::string_view line);

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_GRPC_LOG_H_
