#include "common/manual/page_template.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace dslap {
namespace {

constexpr absl::string_view kCapitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";

// The name of the mark that `rest` begins with; empty when it begins with none.
absl::string_view MarkAt(absl::string_view rest) {
  if (rest.empty() || rest[0] != '@') return "";
  const size_t end = rest.find_first_not_of(kCapitals, 1);
  if (end == absl::string_view::npos || rest[end] != '@') return "";
  return rest.substr(1, end - 1);
}

}  // namespace

absl::StatusOr<std::string> FillPage(absl::string_view page,
                                     const std::map<std::string, std::string>& parts) {
  std::string filled;
  while (!page.empty()) {
    const absl::string_view mark = MarkAt(page);
    if (mark.empty()) {
      const size_t next = std::min(page.find('@', 1), page.size());
      absl::StrAppend(&filled, page.substr(0, next));
      page.remove_prefix(next);
      continue;
    }
    const auto part = parts.find(absl::StrCat(mark));
    if (part == parts.end()) {
      return absl::InvalidArgumentError(absl::StrCat("there is nothing to put for @", mark, "@"));
    }
    absl::StrAppend(&filled, absl::StripSuffix(part->second, "\n"));
    page.remove_prefix(mark.size() + 2);
  }
  return filled;
}

}  // namespace dslap
