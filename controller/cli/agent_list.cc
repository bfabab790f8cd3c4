#include "controller/cli/agent_list.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/message_text.h"
#include "common/status_util.h"
#include "controller/cli/value_parser.h"

namespace dslap {
namespace {

constexpr uint64_t kLargestPort = 65535;
constexpr absl::string_view kOption = "--agents";

bool AllDigits(absl::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); });
}

bool IsHostName(absl::string_view host) {
  return !host.empty() && std::all_of(host.begin(), host.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_';
  });
}

bool IsIpv6Text(absl::string_view host) {
  return absl::StrContains(host, ':') && std::all_of(host.begin(), host.end(), [](char c) {
           // '%' and what follows it: the zone of a link-local address.
           return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == ':' || c == '.' ||
                  c == '%';
         });
}

absl::Status BadAgent(absl::string_view text) {
  return absl::InvalidArgumentError(
      absl::StrCat(Quoted(text),
                   " is not HOST or HOST:PORT; an IPv6 address goes into brackets, as in "
                   "[::1]:7527"));
}

// "host:port", complete.
absl::StatusOr<std::string> ParseAddress(absl::string_view text) {
  absl::string_view host = text;
  absl::string_view port;
  bool has_port = false;
  if (absl::StartsWith(text, "[")) {
    const size_t close = text.find(']');
    if (close == absl::string_view::npos) return BadAgent(text);
    host = text.substr(1, close - 1);
    port = text.substr(close + 1);
    has_port = absl::ConsumePrefix(&port, ":");
    if (!IsIpv6Text(host) || (!has_port && !port.empty())) return BadAgent(text);
  } else {
    const size_t colon = text.find(':');
    has_port = colon != absl::string_view::npos;
    host = text.substr(0, colon);
    if (has_port) port = text.substr(colon + 1);
    if (!IsHostName(host) || absl::StrContains(port, ':')) return BadAgent(text);
  }
  uint32_t number = kDefaultAgentPort;
  if (has_port && (!AllDigits(port) || !absl::SimpleAtoi(port, &number) || number == 0 ||
                   number > kLargestPort)) {
    return absl::InvalidArgumentError(absl::StrCat(
        Quoted(port), " in ", Quoted(text), " is not a port: a number from 1 to ", kLargestPort));
  }
  const std::string name = absl::AsciiStrToLower(host);
  return absl::StartsWith(text, "[") ? absl::StrCat("[", name, "]:", number)
                                     : absl::StrCat(name, ":", number);
}

absl::StatusOr<AgentSpec> ParseEntry(absl::string_view entry) {
  AgentSpec agent;
  absl::string_view address = entry;
  if (const size_t star = entry.find('*'); star != absl::string_view::npos) {
    address = entry.substr(0, star);
    const absl::string_view weight = entry.substr(star + 1);
    if (!AllDigits(weight) || !absl::SimpleAtoi(weight, &agent.weight) || agent.weight == 0 ||
        agent.weight > kLargestWeight) {
      return absl::InvalidArgumentError(absl::StrCat(Quoted(weight), " in ", Quoted(entry),
                                                     " is not a weight: a whole number from 1 to ",
                                                     kLargestWeight));
    }
  }
  absl::string_view name = address;
  // "dns:7527" is an agent on a host called dns.
  agent.look_up = absl::ConsumePrefix(&name, "dns:") && !(AllDigits(name) && !name.empty());
  if (!agent.look_up) name = address;
  if (agent.look_up && absl::StartsWith(name, "[")) {
    return absl::InvalidArgumentError(
        absl::StrCat(Quoted(entry), " has an address where dns: needs a name; leave the dns: out"));
  }
  ASSIGN_OR_RETURN(agent.address, ParseAddress(name));
  agent.where = std::string{kOption};
  return agent;
}

// `place` ("hosts, line 3") begins every message.
absl::Status AddLine(absl::string_view line, const std::string& place,
                     std::vector<AgentSpec>* agents) {
  const absl::string_view entries = line.substr(0, line.find('#'));
  for (const absl::string_view entry :
       absl::StrSplit(entries, absl::ByAnyChar(", \t\r\f\v"), absl::SkipEmpty())) {
    if (absl::StartsWith(entry, "@")) {
      return absl::InvalidArgumentError(absl::StrCat(
          place, ": ", Quoted(entry), " names a file within a file; name it in --agents itself"));
    }
    absl::StatusOr<AgentSpec> agent = ParseEntry(entry);
    if (!agent.ok()) return Annotate(agent.status(), place);
    agent->where = place;
    agents->push_back(*std::move(agent));
  }
  return absl::OkStatus();
}

absl::Status AddFile(const std::string& path, const FileReader& read_file,
                     std::vector<AgentSpec>* agents) {
  const absl::StatusOr<std::string> content = read_file(path);
  if (!content.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(kOption, ": cannot read the file ", Quoted(path), ": ",
                     absl::StripPrefix(content.status().message(), absl::StrCat(path, ": "))));
  }
  const size_t before = agents->size();
  absl::string_view text = *content;
  absl::ConsumePrefix(&text, "\xEF\xBB\xBF");  // as some editors begin a file
  size_t number = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    RETURN_IF_ERROR(AddLine(line, absl::StrCat(path, ", line ", ++number), agents));
  }
  if (agents->size() > before) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(kOption, ": the file ", Quoted(path),
                                                 " names no agent; write HOST[:PORT] on a line"));
}

}  // namespace

absl::StatusOr<std::vector<AgentSpec>> ParseAgents(absl::string_view text) {
  std::vector<AgentSpec> agents;
  for (absl::string_view item : absl::StrSplit(text, ',')) {
    item = absl::StripAsciiWhitespace(item);
    if (item == "@") {
      return absl::InvalidArgumentError("'@' names no file; write @FILE, as in --agents=@hosts");
    }
    if (absl::StartsWith(item, "@")) {
      AgentSpec& file = agents.emplace_back();
      file.address = std::string{item};
      file.where = std::string{kOption};
      continue;
    }
    ASSIGN_OR_RETURN(AgentSpec agent, ParseEntry(item));
    agents.push_back(std::move(agent));
  }
  RETURN_IF_ERROR(CheckNamedOnce(agents));
  return agents;
}

absl::StatusOr<std::vector<AgentSpec>> ReadAgentFiles(const std::vector<AgentSpec>& agents,
                                                      const FileReader& read_file) {
  std::vector<AgentSpec> read;
  for (const AgentSpec& agent : agents) {
    if (!absl::StartsWith(agent.address, "@")) {
      read.push_back(agent);
      continue;
    }
    RETURN_IF_ERROR(AddFile(agent.address.substr(1), read_file, &read));
  }
  RETURN_IF_ERROR(Annotate(CheckNamedOnce(read), kOption));
  return read;
}

absl::Status CheckNamedOnce(const std::vector<AgentSpec>& agents) {
  std::map<std::pair<bool, absl::string_view>, const AgentSpec*> seen;
  for (const AgentSpec& agent : agents) {
    const auto [first, added] = seen.try_emplace({agent.look_up, agent.address}, &agent);
    if (added) continue;
    const std::string& where = first->second->where;
    const bool one_place = where == agent.where && where == kOption;
    return absl::InvalidArgumentError(
        absl::StrCat(absl::StartsWith(agent.address, "@") ? "file " : "agent ",
                     agent.look_up ? "dns:" : "", agent.address, " is named twice",
                     one_place ? "" : absl::StrCat(" (", where, "; ", agent.where, ")"),
                     ", and an agent serves one run at a time; name it once"));
  }
  return absl::OkStatus();
}

bool IsLoopbackAgent(absl::string_view agent) {
  const absl::string_view host = agent.substr(0, agent.rfind(':'));
  if (host == "localhost" || host == "[::1]") return true;
  const std::vector<absl::string_view> octets = absl::StrSplit(host, '.');
  const bool numbers = std::all_of(octets.begin(), octets.end(), [](absl::string_view octet) {
    uint32_t value = 0;
    return absl::SimpleAtoi(octet, &value) && value <= 255;
  });
  return octets.size() == 4 && numbers && octets.front() == "127";
}

}  // namespace dslap
