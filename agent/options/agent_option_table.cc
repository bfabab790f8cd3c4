#include "agent/options/agent_option_table.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "agent/guard/library_guard.h"
#include "agent/guard/target_rule.h"
#include "agent/options/agent_conf_file.h"
#include "common/message_text.h"
#include "common/status_util.h"

namespace dslap {
namespace {

// absl::Duration is made at run time.
const AgentOption kOptions[] = {
    {.name = "config",
     .placeholder = "FILE",
     .field = AgentTextField{[](AgentOptions& o) { return &o.config; }},
     .help = "Read options from this file, too; what the command line says counts more.",
     .details = "A line is NAME = VALUE, or NAME alone for an option without a value; the names "
                "are those of the command line without the dashes. Empty lines count for nothing, "
                "nor does what follows a # that begins a line or stands after a blank. Only "
                "allow-target may be set more than once.",
     .command_line_only = true},
    {.name = "listen",
     .placeholder = "HOST:PORT",
     .field = AgentTextField{[](AgentOptions& o) { return &o.listen; }},
     .help = "Address to wait for controllers on; port 0 picks a free one; IPv6 in brackets: "
             "[::1]:7527.",
     .details = "A name with several addresses stands for its first, IPv4 before IPv6. An address "
                "that other hosts can reach needs --tls-cert and --tls-key, and --tls-ca or "
                "--token-file, or else --insecure."},
    {.name = "tls-cert",
     .placeholder = "FILE",
     .field = AgentTextField{[](AgentOptions& o) { return &o.tls.certificate; }},
     .help = "This agent's certificate (PEM): controllers call over TLS, and check that it bears "
             "the name they call; dslap-make-certs makes one. A file that changes is read "
             "anew."},
    {.name = "tls-key",
     .placeholder = "FILE",
     .field = AgentTextField{[](AgentOptions& o) { return &o.tls.key; }},
     .help = "Its private key, without a pass phrase."},
    {.name = "tls-ca",
     .placeholder = "FILE",
     .field = AgentTextField{[](AgentOptions& o) { return &o.tls.ca; }},
     .help = "A controller must show a certificate of this authority."},
    {.name = "token-file",
     .placeholder = "FILE",
     .field = AgentTextField{[](AgentOptions& o) { return &o.token_file; }},
     .help = "A controller must know the token in this file: one line of 16 or more characters, "
             "the same file at both ends."},
    {.name = "insecure",
     .field = AgentFlagField{[](AgentOptions& o) { return &o.insecure; }},
     .help = "Allow an address that other hosts can reach without TLS and a check of who calls: "
             "whoever reaches it can make this host load any database it can reach."},
    {.name = "allow-target",
     .placeholder = "RULE,...",
     .field = AgentListField{[](AgentOptions& o) { return &o.allow_target; }, &CheckTargetRule},
     .help = "Refuse to be pointed at any database but these: 10.0.0.0/8:3306, "
             "[fd00::]/8:3306-3310, 10.0.0.7:*, db.example:3306, *:3306, unix:/run/mysqld.sock, "
             "unix:*. Without it every database is allowed.",
     .details =
         "A rule is a network or an address, a host's name, or * for any host, and behind "
         "the last colon a port, a range of ports, or * for any; or unix: and the path of a "
         "socket, or *. May be given again, with more rules. What counts is the address: the "
         "agent looks names up when a run begins, both those in the rules and the one it is "
         "pointed at, and connects to the addresses that are allowed, whatever the name "
         "stands for later."},
    {.name = "allow-library-dir",
     .placeholder = "DIR,...",
     .field = AgentListField{[](AgentOptions& o) { return &o.allow_library_dir; },
                             &CheckLibraryDirectory},
     .help = "Let runs name these directories as --plugin-dir and --character-sets-dir. Without it "
             "none: what the client library loads from there runs in the agent.",
     .details = "May be given again, with more directories. They are compared as they are written, "
                "letter by letter; nobody but the owner should be able to put a file there."},
    {.name = "max-clients",
     .placeholder = "N",
     .field = AgentNumberField{[](AgentOptions& o) { return &o.max_clients; }, 1, 1'000'000},
     .help = "Refuse rounds with more clients on this agent. Without it there is no bound.",
     .details = "A client is one connection of the benchmark; a run has up to 17 more, for scripts "
                "and for killing statements."},
    {.name = "max-run-time",
     .placeholder = "DURATION",
     .field = AgentDurationField{[](AgentOptions& o) { return &o.max_run_time; }, absl::Seconds(30),
                                 absl::Hours(24 * 30)},
     .help = "End runs that take longer, such as 90s, 30m or 8h. Without it there is no bound.",
     .details = "Controllers are told, and end a run of theirs 20 s sooner, so that there is time "
                "for a tear-down and the report."},
    {.name = "metrics",
     .placeholder = "HOST:PORT",
     .field = AgentTextField{[](AgentOptions& o) { return &o.metrics; }},
     .help = "Serve metrics for Prometheus at http://HOST:PORT/metrics, such as 127.0.0.1:9527; "
             "loopback only.",
     .details = "They are plain HTTP, for whoever asks; docs/agent_service.md lists them."},
    {.name = "reflection",
     .field = AgentFlagField{[](AgentOptions& o) { return &o.reflection; }},
     .help = "Tell callers what can be called (gRPC server reflection), for tools such as "
             "grpcurl.",
     .details = "Whoever gets a connection may ask, also without the token."},
    {.name = "check-config",
     .field = AgentFlagField{[](AgentOptions& o) { return &o.check_config; }},
     .help = "Check all options and the files they name, say 'ok' or all that is wrong, and end "
             "with 0 or 2.",
     .details = "Nothing is listened on: it may run beside the agent, before a restart.",
     .command_line_only = true},
    {.name = "print-config",
     .field = AgentFlagField{[](AgentOptions& o) { return &o.print_config; }},
     .help = "Print every option with its value and where that was said, as a configuration file, "
             "and end.",
     .command_line_only = true},
    {.name = "help",
     .field = AgentFlagField{[](AgentOptions& o) { return &o.help; }},
     .help = "Print this text.",
     .command_line_only = true},
    {.name = "version",
     .field = AgentFlagField{[](AgentOptions& o) { return &o.version; }},
     .help = "Print the version.",
     .command_line_only = true},
};

absl::Status NotBetween(absl::string_view value, absl::string_view what, const std::string& minimum,
                        const std::string& maximum) {
  return absl::InvalidArgumentError(
      absl::StrCat(Quoted(value), " is no ", what, " from ", minimum, " to ", maximum));
}

std::string NumberText(uint64_t number) { return number == 0 ? "" : absl::StrCat(number); }
std::string DurationText(absl::Duration duration) {
  return duration == absl::ZeroDuration() ? "" : absl::FormatDuration(duration);
}

struct ValueText {
  AgentOptions& options;
  std::string operator()(const AgentFlagField& /*flag*/) const { return {}; }
  std::string operator()(const AgentTextField& text) const { return *text.field(options); }
  std::string operator()(const AgentListField& list) const {
    return absl::StrJoin(*list.field(options), ",");
  }
  std::string operator()(const AgentNumberField& number) const {
    return NumberText(*number.field(options));
  }
  std::string operator()(const AgentDurationField& duration) const {
    return DurationText(*duration.field(options));
  }
};

struct Storer {
  absl::string_view value;
  AgentOptions& options;
  absl::Status operator()(const AgentFlagField& flag) const {
    *flag.field(options) = true;
    return absl::OkStatus();
  }
  absl::Status operator()(const AgentTextField& text) const {
    *text.field(options) = absl::StrCat(value);
    return absl::OkStatus();
  }
  absl::Status operator()(const AgentListField& list) const {
    const std::vector<std::string> items = absl::StrSplit(value, ',');
    for (const std::string& item : items) {
      RETURN_IF_ERROR(list.check(absl::StripAsciiWhitespace(item)));
    }
    for (const std::string& item : items) {
      list.field(options)->emplace_back(absl::StripAsciiWhitespace(item));
    }
    return absl::OkStatus();
  }
  absl::Status operator()(const AgentNumberField& number) const {
    uint64_t parsed = 0;
    if (value.find_first_not_of("0123456789") != absl::string_view::npos ||
        !absl::SimpleAtoi(value, &parsed) || parsed < number.minimum || parsed > number.maximum) {
      return NotBetween(value, "whole number", absl::StrCat(number.minimum),
                        absl::StrCat(number.maximum));
    }
    *number.field(options) = parsed;
    return absl::OkStatus();
  }
  absl::Status operator()(const AgentDurationField& duration) const {
    absl::Duration parsed;
    if (!absl::ParseDuration(value, &parsed) || parsed < duration.minimum ||
        parsed > duration.maximum) {
      return NotBetween(value, "duration (90s, 30m, 8h)", DurationText(duration.minimum),
                        DurationText(duration.maximum));
    }
    *duration.field(options) = parsed;
    return absl::OkStatus();
  }
};

}  // namespace

absl::Span<const AgentOption> AgentOptionTable() { return kOptions; }

const AgentOption* FindAgentOption(absl::string_view name) {
  const auto* const found = std::find_if(std::begin(kOptions), std::end(kOptions),
                                         [&](const AgentOption& o) { return o.name == name; });
  return found == std::end(kOptions) ? nullptr : found;
}

std::string AgentOptionValue(const AgentOption& option, const AgentOptions& options) {
  // The fields are reached through functions that may write.
  AgentOptions copy = options;
  return std::visit(ValueText{copy}, option.field);
}

absl::Status StoreAgentOption(const AgentOption& option, absl::string_view value,
                              AgentOptions* options) {
  return std::visit(Storer{value, *options}, option.field);
}

}  // namespace dslap
