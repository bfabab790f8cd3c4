// Command line and configuration file -> AgentOptions. What is in conflict is settled here: the
// command line counts more than the file.
//
//   ParsedAgentOptions parsed = ReadAgentOptions({"--config=/etc/dslap/agent.conf"}, ReadFile);
//   for (const absl::Status& error : parsed.errors) ...
#ifndef DSLAP_AGENT_OPTIONS_PARSE_AGENT_OPTIONS_H_
#define DSLAP_AGENT_OPTIONS_PARSE_AGENT_OPTIONS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agent/options/agent_options.h"

namespace dslap {

// The content of a file; an error names it.
// Nobody writes more than this by hand; it is something else that was named. A reader need not read
// more than a byte beyond it.
inline constexpr size_t kLongestConfFile = size_t{1} << 20;
using AgentConfReader = std::function<absl::StatusOr<std::string>(const std::string& path)>;

struct ParsedAgentOptions {
  AgentOptions options;
  // All that is wrong, in one line each: those of the command line before those of the file, which
  // begin with "/etc/dslap/agent.conf:7: ". What is right is in `options` nevertheless.
  std::vector<absl::Status> errors;
};

// `arguments` without the program's name. The file is read when --config names one, and neither
// --help nor --version was given.
ParsedAgentOptions ReadAgentOptions(const std::vector<std::string>& arguments,
                                    const AgentConfReader& read_file);

// The first of the errors, if there is one.
absl::StatusOr<AgentOptions> ParseAgentOptions(const std::vector<std::string>& arguments,
                                               const AgentConfReader& read_file);

}  // namespace dslap

#endif  // DSLAP_AGENT_OPTIONS_PARSE_AGENT_OPTIONS_H_
