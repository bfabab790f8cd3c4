#include "agent/options/agent_option_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"

namespace dslap {
namespace {

constexpr char kHelpHead[] =
    R"(dslap-agent: runs one host's share of the clients of a dslap benchmark.

usage: dslap-agent [OPTIONS]

)";

constexpr char kHelpTail[] = R"(
An address that other hosts can reach needs --tls-cert and --tls-key, and --tls-ca or --token-file,
or else --insecure.

When ready it logs the address. SIGTERM or SIGINT ends it: a run that is going on is ended cleanly
at both ends first; a second signal ends it at once. Under systemd it says when it is ready, what
it does, and that it lives (Type=notify, WatchdogSec=); the socket of a .socket unit counts in the
place of --listen, by the same rules. Exit codes:
)";

constexpr AgentExitCode kExitCodes[] = {
    {0, "ended by a signal, or the configuration was checked or printed"},
    {1, "cannot listen, or a run did not end in time"},
    {2, "wrong command line or configuration"},
};

constexpr size_t kHelpColumn = 22;
constexpr size_t kWidth = 100;

void AppendWrapped(absl::string_view text, std::string* out) {
  size_t at = kHelpColumn;
  for (const absl::string_view word : absl::StrSplit(text, ' ')) {
    if (at > kHelpColumn && at + 1 + word.size() > kWidth) {
      absl::StrAppend(out, "\n", std::string(kHelpColumn, ' '));
      at = kHelpColumn;
    } else if (at > kHelpColumn) {
      *out += ' ';
      ++at;
    }
    absl::StrAppend(out, word);
    at += word.size();
  }
  *out += '\n';
}

void AppendHelp(const AgentOption& option, std::string* out) {
  std::string left = absl::StrCat("  ", AgentOptionSyntax(option));
  if (left.size() + 2 > kHelpColumn) absl::StrAppend(&left, "\n", std::string(kHelpColumn, ' '));
  left.resize(std::max(left.size(), kHelpColumn), ' ');
  const std::string initial = AgentOptionDefault(option);
  absl::StrAppend(out, left);
  AppendWrapped(
      absl::StrCat(option.help, initial.empty() ? "" : absl::StrCat(" Default: ", initial, ".")),
      out);
}

// A bar ends a table's cell, also inside code.
std::string Cell(absl::string_view text) { return absl::StrReplaceAll(text, {{"|", "\\|"}}); }

}  // namespace

std::string AgentOptionSyntax(const AgentOption& option) {
  return absl::StrCat("--", option.name, option.placeholder.empty() ? "" : "=", option.placeholder);
}

std::string AgentOptionDefault(const AgentOption& option) {
  return AgentOptionValue(option, AgentOptions());
}

absl::Span<const AgentExitCode> AgentExitCodes() { return kExitCodes; }

std::string AgentHelpText() {
  std::string text = kHelpHead;
  for (const AgentOption& option : AgentOptionTable()) AppendHelp(option, &text);
  absl::StrAppend(&text, kHelpTail);
  for (const AgentExitCode& row : kExitCodes) {
    absl::StrAppend(&text, "  ", row.code, " ", row.meaning, "\n");
  }
  return text;
}

std::string AgentConfigText(const AgentOptions& options) {
  std::vector<std::pair<std::string, std::string>> lines;  // and where they come from
  size_t widest = 0;
  for (const AgentOption& option : AgentOptionTable()) {
    if (option.command_line_only) continue;
    const auto place = options.places.find(option.name);
    const bool is_default = place == options.places.end();
    const std::string value = AgentOptionValue(option, options);
    lines.emplace_back(absl::StrCat(is_default ? "# " : "", option.name,
                                    option.placeholder.empty() ? "" : " = ", value),
                       is_default ? "default" : place->second);
    widest = std::max(widest, lines.back().first.size());
  }
  std::string text;
  for (auto& [line, place] : lines) {
    line.resize(widest, ' ');
    absl::StrAppend(&text, line, "  # ", place, "\n");
  }
  return text;
}

std::string AgentOptionMarkdown() {
  std::string text = "\n| Option | Default | Meaning |\n|---|---|---|\n";
  for (const AgentOption& option : AgentOptionTable()) {
    absl::StrAppend(&text, "| `", Cell(AgentOptionSyntax(option)), "` | ",
                    Cell(AgentOptionDefault(option)), " | ", Cell(option.help));
    if (!option.details.empty()) absl::StrAppend(&text, " ", Cell(option.details));
    if (option.command_line_only) absl::StrAppend(&text, " *(command line only)*");
    absl::StrAppend(&text, " |\n");
  }
  text += '\n';
  return text;
}

}  // namespace dslap
