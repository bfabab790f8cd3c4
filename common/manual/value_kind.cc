#include "common/manual/value_kind.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"

namespace dslap {
namespace {

bool IsLiteral(absl::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), absl::ascii_islower);
}

}  // namespace

ValueKind KindOfPlaceholder(absl::string_view placeholder) {
  if (absl::StartsWith(placeholder, "HOST")) return ValueKind::kHost;
  for (const absl::string_view word : absl::StrSplit(placeholder, '|')) {
    if (word == "FILE" || word == "PATH") return ValueKind::kFile;
    if (word == "DIR") return ValueKind::kDirectory;
  }
  return ValueKind::kOther;
}

std::vector<std::string> LiteralChoices(absl::string_view placeholder) {
  std::vector<std::string> choices;
  // One word alone is a name for the value, however it is written.
  if (!absl::StrContains(placeholder, '|')) return choices;
  for (const absl::string_view word : absl::StrSplit(placeholder, '|')) {
    if (IsLiteral(word)) choices.emplace_back(word);
  }
  return choices;
}

bool IsList(absl::string_view placeholder) { return absl::StrContains(placeholder, ",..."); }

}  // namespace dslap
