#include "controller/cli/value_parser.h"

#include <algorithm>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "common/message_text.h"
#include "common/status_util.h"

namespace dslap {
namespace {

constexpr uint64_t kLargestErrorCode = 65535;

// Bits to shift for a size suffix; 0 for any other character.
unsigned SuffixShift(char suffix) {
  switch (absl::ascii_tolower(static_cast<unsigned char>(suffix))) {
    case 'k':
      return 10;
    case 'm':
      return 20;
    case 'g':
      return 30;
    case 't':
      return 40;
    case 'p':
      return 50;
    case 'e':
      return 60;
    default:
      return 0;
  }
}

bool AllDigits(absl::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); });
}

}  // namespace

absl::StatusOr<uint64_t> ParseNumber(absl::string_view text) {
  const absl::string_view trimmed = absl::StripAsciiWhitespace(text);
  absl::string_view digits = trimmed;
  const unsigned shift = digits.empty() ? 0 : SuffixShift(digits.back());
  if (shift > 0) digits.remove_suffix(1);
  if (digits.empty() || !AllDigits(digits)) {
    return absl::InvalidArgumentError(
        absl::StrCat(Quoted(text),
                     " is not a whole number (digits, and perhaps K, M or G for 1024, 1024^2, "
                     "1024^3)"));
  }
  uint64_t number = 0;
  if (!absl::SimpleAtoi(digits, &number) ||
      number > (std::numeric_limits<uint64_t>::max() >> shift)) {
    return absl::InvalidArgumentError(absl::StrCat(Quoted(text), " is too large"));
  }
  return number << shift;
}

absl::StatusOr<std::vector<uint64_t>> ParseNumberList(absl::string_view text) {
  std::vector<uint64_t> numbers;
  for (const absl::string_view item : absl::StrSplit(text, ',')) {
    ASSIGN_OR_RETURN(const uint64_t number, ParseNumber(item));
    numbers.push_back(number);
  }
  return numbers;
}

absl::StatusOr<uint64_t> ParseDurationMs(absl::string_view text) {
  absl::Duration duration;
  if (!absl::ParseDuration(text, &duration) || duration < absl::ZeroDuration() ||
      duration == absl::InfiniteDuration()) {
    return absl::InvalidArgumentError(
        absl::StrCat(Quoted(text),
                     " is not a duration: write a number and a unit, as in 10s, "
                     "500ms, 1m30s"));
  }
  // Up, so that nothing becomes a zero, which may mean something else.
  return static_cast<uint64_t>(
      absl::ToInt64Milliseconds(absl::Ceil(duration, absl::Milliseconds(1))));
}

absl::StatusOr<bool> ParseSwitch(absl::string_view text) {
  bool value = false;
  const std::string lower = absl::AsciiStrToLower(text);
  if (lower == "on") return true;
  if (lower == "off") return false;
  if (absl::SimpleAtob(lower, &value)) return value;
  return absl::InvalidArgumentError(absl::StrCat(Quoted(text), " is neither on nor off"));
}

absl::StatusOr<ColumnCount> ParseColumnCount(absl::string_view text) {
  ColumnCount count;
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits(':', 1));
  ASSIGN_OR_RETURN(count.columns, ParseNumber(parts.first));
  if (!absl::StrContains(text, ':') || parts.second == "0") return count;
  count.indexed = parts.second == "1" || absl::EqualsIgnoreCase(parts.second, "index");
  if (!count.indexed) {
    return absl::InvalidArgumentError(absl::StrCat(
        Quoted(parts.second), " after the colon is none of index, 1 and 0; write N or N:index"));
  }
  return count;
}

absl::StatusOr<std::vector<EngineSpec>> ParseEngines(absl::string_view text) {
  std::vector<EngineSpec> engines;
  if (text.empty()) return engines;
  for (const absl::string_view item : absl::StrSplit(text, ',')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(absl::StripAsciiWhitespace(item), absl::MaxSplits(':', 1));
    const absl::string_view name = parts.first;
    const bool legal = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
    });
    if (!legal) {
      return absl::InvalidArgumentError(
          absl::StrCat(Quoted(name),
                       " is not the name of an engine; write NAME[:OPTION],..., as in "
                       "innodb,memory:max_rows=10"));
    }
    engines.push_back({absl::StrCat(name), absl::StrCat(parts.second)});
  }
  return engines;
}

absl::StatusOr<IgnoredErrors> ParseIgnoredErrors(absl::string_view text) {
  IgnoredErrors ignored;
  if (absl::EqualsIgnoreCase(text, "all")) {
    ignored.all = true;
    return ignored;
  }
  if (absl::EqualsIgnoreCase(text, "none")) return ignored;
  for (const absl::string_view item : absl::StrSplit(text, ',')) {
    uint32_t code = 0;
    const absl::string_view trimmed = absl::StripAsciiWhitespace(item);
    if (!AllDigits(trimmed) || !absl::SimpleAtoi(trimmed, &code) || code == 0 ||
        code > kLargestErrorCode) {
      return absl::InvalidArgumentError(absl::StrCat(
          Quoted(item), " is not an error code; write codes such as 1205,1213, or all, or none"));
    }
    ignored.codes.push_back(code);
  }
  return ignored;
}

}  // namespace dslap
