// The text of a configuration file of dslap-agent, line by line: which names and values stand
// where. Knows the form only, not the options. Pure.
//
//   # what this agent may do
//   listen = 0.0.0.0:7527
//   insecure                 # a flag
#ifndef DSLAP_AGENT_OPTIONS_AGENT_CONF_FILE_H_
#define DSLAP_AGENT_OPTIONS_AGENT_CONF_FILE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace dslap {

struct AgentConfLine {
  size_t number = 0;  // from 1
  std::string name;
  std::optional<std::string> value;
  std::string error;  // what is wrong with the line's form, and how to mend it; empty: nothing
};

// Those lines that say something, in order. Blanks around names and values are dropped.
std::vector<AgentConfLine> ReadAgentConfLines(absl::string_view text);

}  // namespace dslap

#endif  // DSLAP_AGENT_OPTIONS_AGENT_CONF_FILE_H_
