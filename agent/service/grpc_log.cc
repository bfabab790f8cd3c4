#include "agent/service/grpc_log.h"

#include <grpc/support/log.h>

#include <atomic>
#include <cstdlib>
#include <deque>

#include "absl/base/thread_annotations.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/synchronization/mutex.h"
#include "common/log.h"

namespace dslap {
namespace {

struct TlsErrors {
  absl::Mutex mu;
  std::deque<std::string> waiting ABSL_GUARDED_BY(mu);
};

TlsErrors& Errors() {
  static auto* const errors = new TlsErrors;
  return *errors;
}

std::atomic<bool> pass_on = false;

void OnLine(gpr_log_func_args* args) {
  if (std::string why = TlsErrorIn(args->message); !why.empty()) {
    TlsErrors& errors = Errors();
    absl::MutexLock lock(&errors.mu);
    errors.waiting.push_back(std::move(why));
    if (errors.waiting.size() > GrpcLog::kMostKept) errors.waiting.pop_front();
  }
  if (pass_on) LogInfo(absl::StrCat("gRPC: ", args->file, ":", args->line, ": ", args->message));
}

}  // namespace

void GrpcLog::Install() {
  const char* const wanted = std::getenv("GRPC_VERBOSITY");
  const std::string level = absl::AsciiStrToUpper(wanted == nullptr ? "" : wanted);
  pass_on = level == "DEBUG" || level == "INFO" || level == "ERROR";
  gpr_set_log_function(OnLine);
  gpr_set_log_verbosity(level == "DEBUG"  ? GPR_LOG_SEVERITY_DEBUG
                        : level == "INFO" ? GPR_LOG_SEVERITY_INFO
                                          : GPR_LOG_SEVERITY_ERROR);
}

std::string GrpcLog::TakeTlsError() {
  TlsErrors& errors = Errors();
  absl::MutexLock lock(&errors.mu);
  if (errors.waiting.empty()) return "";
  std::string why = std::move(errors.waiting.front());
  errors.waiting.pop_front();
  return why;
}

// "Handshake failed with fatal error SSL_ERROR_SSL: error:0A0000C7:SSL routines::peer did not
// return a certificate."
std::string TlsErrorIn(absl::string_view line) {
  if (!absl::StartsWith(line, "Handshake failed with fatal error ")) return "";
  constexpr absl::string_view kBefore = "routines::";
  const size_t before = line.find(kBefore);
  if (before == absl::string_view::npos) return "the connection broke";
  line.remove_prefix(before + kBefore.size());
  return std::string(absl::StripSuffix(line, "."));
}

}  // namespace dslap
