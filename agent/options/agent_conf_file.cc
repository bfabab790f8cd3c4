#include "agent/options/agent_conf_file.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/message_text.h"

namespace dslap {
namespace {

constexpr absl::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

absl::string_view WithoutComment(absl::string_view line) {
  for (size_t at = line.find('#'); at != absl::string_view::npos; at = line.find('#', at + 1)) {
    if (at == 0 || IsBlank(line[at - 1])) return line.substr(0, at);
  }
  return line;
}

bool HasControlCharacter(absl::string_view line) {
  return std::any_of(line.begin(), line.end(), [](char c) { return !IsBlank(c) && IsControl(c); });
}

std::string FormError(const AgentConfLine& line) {
  if (HasControlCharacter(line.name) ||
      (line.value.has_value() && HasControlCharacter(*line.value))) {
    return absl::StrCat(Quoted(line.name),
                        ": there is a control character in the line: write it anew");
  }
  if (line.name.empty()) return "there is nothing before the '=': write NAME = VALUE";
  if (std::any_of(line.name.begin(), line.name.end(), IsBlank)) {
    return absl::StrCat(Quoted(line.name), " is no option: write NAME = VALUE");
  }
  if (absl::StartsWith(line.name, "-")) {
    return absl::StrCat(Quoted(line.name), ": write the name without the dashes");
  }
  if (line.value.has_value() && !line.value->empty() &&
      (line.value->front() == '"' || line.value->front() == '\'')) {
    return absl::StrCat(Quoted(line.name), ": write the value without quotes");
  }
  return {};
}

}  // namespace

std::vector<AgentConfLine> ReadAgentConfLines(absl::string_view text) {
  std::vector<AgentConfLine> lines;
  absl::ConsumePrefix(&text, kByteOrderMark);
  size_t number = 0;
  for (absl::string_view rest : absl::StrSplit(text, '\n')) {
    ++number;
    absl::ConsumeSuffix(&rest, "\r");
    rest = absl::StripAsciiWhitespace(WithoutComment(rest));
    if (rest.empty()) continue;
    const size_t equals = rest.find('=');
    AgentConfLine line;
    line.number = number;
    line.name = absl::StrCat(absl::StripAsciiWhitespace(rest.substr(0, equals)));
    if (equals != absl::string_view::npos) {
      line.value = absl::StrCat(absl::StripAsciiWhitespace(rest.substr(equals + 1)));
    }
    line.error = FormError(line);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace dslap
