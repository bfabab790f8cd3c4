// The agents that --agents names: entries of the command line, and of the files among them.
//
//   big:7527*3, small, @hosts, dns:agents.example*2
//
// An entry is HOST[:PORT][*WEIGHT], with an IPv6 address in brackets; dns:NAME[:PORT][*WEIGHT]
// stands for one agent at each address of the name, and is looked up only when the agents are
// needed (controller/find_agents.h). @FILE stands for the entries in the file: one or more a line,
// with commas or blanks between them, and nothing from a # on.
#ifndef DSLAP_CONTROLLER_CLI_AGENT_LIST_H_
#define DSLAP_CONTROLLER_CLI_AGENT_LIST_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "controller/options.h"

namespace dslap {

inline constexpr uint32_t kDefaultAgentPort = 7527;
inline constexpr uint64_t kLargestWeight = 1000;

// The value of --agents. Files are not read: an entry of `address` "@FILE" stands for each.
absl::StatusOr<std::vector<AgentSpec>> ParseAgents(absl::string_view text);

using FileReader = std::function<absl::StatusOr<std::string>(const std::string& path)>;

// With the entries of the files in the place of their names. No two agents may be the same.
absl::StatusOr<std::vector<AgentSpec>> ReadAgentFiles(const std::vector<AgentSpec>& agents,
                                                      const FileReader& read_file);

// INVALID_ARGUMENT, naming both places, when an agent is named twice.
absl::Status CheckNamedOnce(const std::vector<AgentSpec>& agents);

// True when the host of "host:port" can only be this machine: localhost, 127.0.0.0/8, ::1.
bool IsLoopbackAgent(absl::string_view agent);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_AGENT_LIST_H_
