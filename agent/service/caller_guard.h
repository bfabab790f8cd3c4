// Who may call this agent, beyond what TLS has checked: those who know the token, if there is one.
//
//   CallerGuard guard("/etc/dslap/token");
//   absl::Status let_in = guard.Check("ipv4:10.0.0.9:41234", "Bearer 5f2c...");
#ifndef DSLAP_AGENT_SERVICE_CALLER_GUARD_H_
#define DSLAP_AGENT_SERVICE_CALLER_GUARD_H_

#include <cstdint>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "agent/service/refusal_log.h"
#include "common/secret.h"

namespace dslap {

// Thread-safe.
class CallerGuard {
 public:
  // `token_file` empty: everybody is let in. The file is looked at again at every call, so that a
  // new token counts at once; while it cannot be read the last one goes on counting. `refusals`
  // must outlive the guard.
  CallerGuard(std::string token_file, RefusalLog* refusals);

  // OK, or UNAUTHENTICATED. `authorization`: what came under kTokenMetadata, empty when nothing
  // did. Takes the same time for every wrong token of a length.
  absl::Status Check(absl::string_view peer, absl::string_view authorization)
      ABSL_LOCKS_EXCLUDED(mu_);

  // What lets this process's own calls in, whatever the token; known to nobody else.
  const std::string& own_authorization() const { return own_authorization_; }

 private:
  // What tells one state of the file from another.
  struct FileState {
    int64_t modified_ns = 0;
    uint64_t inode = 0;
    uint64_t size = 0;
    friend bool operator==(const FileState&, const FileState&) = default;
  };
  void Reload() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const std::string token_file_;
  const std::string own_authorization_;
  RefusalLog* const refusals_;
  absl::Mutex mu_;
  FileState seen_ ABSL_GUARDED_BY(mu_);
  Secret token_ ABSL_GUARDED_BY(mu_);
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_CALLER_GUARD_H_
