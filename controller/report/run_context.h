// What the report says about the run that the agents do not know. Made from the options, given to
// Aggregate().
#ifndef DSLAP_CONTROLLER_REPORT_RUN_CONTEXT_H_
#define DSLAP_CONTROLLER_REPORT_RUN_CONTEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "controller/options.h"

namespace dslap {

struct RunContext {
  std::string build;
  std::string command_line;  // passwords replaced
  std::string started_at;    // RFC 3339, UTC
  std::string load_type;
  bool insecure = false;
  bool distributed = false;
  bool goes_on_after_loss = false;  // --on-agent-loss=continue
  std::vector<uint32_t> ignored_errors;
  bool ignore_all_errors = false;
};

// `started_at` is the wall clock at the start: it dates the report, nothing is computed from it.
RunContext MakeRunContext(const Options& options, absl::Time started_at);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_RUN_CONTEXT_H_
