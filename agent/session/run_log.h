// The log lines of one run: one at its start, one at its end. Never a password, never a statement.
//
//   run r-17 of ann@db-a pid 17 started: target 10.0.0.5:3306
//   run r-17 of ann@db-a pid 17 ended after 12.3 s: 5 rounds, at most 100 clients: closed by the
//     controller
#ifndef DSLAP_AGENT_SESSION_RUN_LOG_H_
#define DSLAP_AGENT_SESSION_RUN_LOG_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"

namespace dslap {

// Not thread-safe. Makes the lines and leaves writing them to others. Text that came over the wire
// is escaped: it cannot forge a line.
class RunLog {
 public:
  void Opened(const std::string& run_id, const std::string& controller, std::string target,
              int64_t now_ns);
  void RoundPrepared(uint64_t clients);
  void RoundDone() { ++rounds_; }

  std::string StartLine() const;
  // `status` OK: the controller closed the run.
  std::string EndLine(const absl::Status& status, int64_t now_ns) const;
  std::string WillLine(const std::string& outcome) const;
  // For a run that never got the agent, also one whose Open never came or was not even understood.
  std::string RefusedLine(const absl::Status& status) const;

 private:
  std::string who_ = "a stream without a run";
  std::string target_;
  int64_t opened_at_ns_ = 0;
  uint64_t rounds_ = 0;
  uint64_t most_clients_ = 0;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_RUN_LOG_H_
