// The log lines of one run: one at its start, one at its end, of fields `key=value` that
// docs/agent.md lists. Never a password, never a statement.
//
//   event=run-started id=r-17 controller="ann@db-a pid 17" peer=ipv4:10.0.0.9:41234 ...
//   event=run id=r-17 ... clients=100 rounds=5 statements=500000 errors=0 outcome=finished
//     duration=12.340s
#ifndef DSLAP_AGENT_SESSION_RUN_LOG_H_
#define DSLAP_AGENT_SESSION_RUN_LOG_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "agent/sql/sql_target.h"

namespace dslap {

// Who is at the other end of a run's stream, as the transport knows it.
struct RunCaller {
  std::string peer;         // "ipv4:10.0.0.9:41234"
  std::string certificate;  // the common name in it; empty: none was shown
};

// `text` as the value of a field: as it is when it is plain, else in quotes and escaped, so that it
// can forge neither a field nor a line; cut when it is long.
std::string LogValue(absl::string_view text);

// Not thread-safe. Makes the lines and leaves writing them to others.
class RunLog {
 public:
  explicit RunLog(RunCaller caller = {}) : caller_(std::move(caller)) {}

  void Opened(const std::string& run_id, const std::string& controller, const SqlTarget& target,
              int64_t now_ns);
  void RoundPrepared(uint64_t clients);
  void RoundDone(uint64_t statements, uint64_t errors);

  // The run has the agent.
  std::string StartLine();
  // `status` OK: the controller closed the run.
  std::string EndLine(const absl::Status& status, int64_t now_ns) const;
  // `outcome`: "drop schema `x`: done".
  std::string WillLine(const std::string& outcome) const;

 private:
  std::string Who() const;

  const RunCaller caller_;
  std::string run_id_;
  std::string controller_;
  std::string target_;
  std::string user_;
  bool opened_ = false;
  bool started_ = false;
  int64_t opened_at_ns_ = 0;
  uint64_t rounds_ = 0;
  uint64_t most_clients_ = 0;
  uint64_t statements_ = 0;
  uint64_t errors_ = 0;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_RUN_LOG_H_
