// The option table as text: --help, --print-config, and the table of docs/agent.md. Pure.
#ifndef DSLAP_AGENT_OPTIONS_AGENT_OPTION_TEXT_H_
#define DSLAP_AGENT_OPTIONS_AGENT_OPTION_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "agent/options/agent_option_table.h"
#include "agent/options/agent_options.h"

namespace dslap {

// "--listen=HOST:PORT", "--insecure".
std::string AgentOptionSyntax(const AgentOption& option);

// The default, as the file would write it; empty: none.
std::string AgentOptionDefault(const AgentOption& option);

std::string AgentHelpText();

// A configuration file that says the same, where each value comes from behind it; what has its
// default is commented out.
std::string AgentConfigText(const AgentOptions& options);

// The table between the two lines of docs/agent.md.
std::string AgentOptionMarkdown();

struct AgentExitCode {
  int code = 0;
  absl::string_view meaning;
};
absl::Span<const AgentExitCode> AgentExitCodes();

}  // namespace dslap

#endif  // DSLAP_AGENT_OPTIONS_AGENT_OPTION_TEXT_H_
