#include "controller/cli/suggestion.h"

#include <algorithm>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace dslap {
namespace {

struct Dash {
  absl::string_view utf8;
  absl::string_view name;
};

constexpr Dash kTypographicDashes[] = {
    {"\xE2\x80\x90", "U+2010 (hyphen)"},
    {"\xE2\x80\x91", "U+2011 (non-breaking hyphen)"},
    {"\xE2\x80\x92", "U+2012 (figure dash)"},
    {"\xE2\x80\x93", "U+2013 (en dash)"},
    {"\xE2\x80\x94", "U+2014 (em dash)"},
    {"\xE2\x80\x95", "U+2015 (horizontal bar)"},
    {"\xE2\x88\x92", "U+2212 (minus sign)"},
    {"\xEF\xB9\xA3", "U+FE63 (small hyphen)"},
    {"\xEF\xBC\x8D", "U+FF0D (full-width hyphen)"},
};

const Dash* TypographicDashAt(absl::string_view text) {
  for (const Dash& dash : kTypographicDashes) {
    if (absl::StartsWith(text, dash.utf8)) return &dash;
  }
  return nullptr;
}

// How many slips a name of this length may have and still be recognised.
size_t AllowedSlips(size_t length) {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}

}  // namespace

LeadingDashes FindLeadingDashes(absl::string_view text) {
  LeadingDashes found;
  while (found.bytes < text.size()) {
    const absl::string_view rest = text.substr(found.bytes);
    if (rest.front() == '-') {
      found.bytes += 1;
    } else if (const Dash* dash = TypographicDashAt(rest); dash != nullptr) {
      if (found.first_typographic.empty()) found.first_typographic = absl::StrCat(dash->name);
      found.bytes += dash->utf8.size();
    } else {
      break;
    }
    ++found.dashes;
  }
  return found;
}

std::string PlainDashes(absl::string_view text) {
  std::string plain = absl::StrReplaceAll(text, {{"_", "-"}});
  for (const Dash& dash : kTypographicDashes) {
    absl::StrReplaceAll({{dash.utf8, "-"}}, &plain);
  }
  return plain;
}

size_t EditDistance(absl::string_view a, absl::string_view b) {
  // Three rows of the usual table: the swap of neighbours looks two rows back.
  std::vector<size_t> before_last(b.size() + 1), last(b.size() + 1), current(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({replace, last[j] + 1, current[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before_last[j - 2] + 1);
      }
    }
    before_last.swap(last);
    last.swap(current);
  }
  return last[b.size()];
}

const OptionSpec* ClosestOption(absl::string_view name, const OptionVocabulary& vocabulary) {
  constexpr size_t kLongestName = 64;
  if (name.empty() || name.size() > kLongestName) return nullptr;
  const OptionSpec* by_prefix = nullptr;
  const OptionSpec* closest = nullptr;
  size_t prefixes = 0;
  size_t best = AllowedSlips(name.size()) + 1;
  bool tie = false;
  for (const OptionSpec& option : vocabulary.options) {
    if (option.name == name) return &option;
    if (absl::StartsWith(option.name, name)) {
      by_prefix = &option;
      ++prefixes;
    }
    const size_t distance = EditDistance(option.name, name);
    if (distance < best) {
      best = distance;
      closest = &option;
      tie = false;
    } else if (distance == best) {
      tie = true;
    }
  }
  if (prefixes == 1) return by_prefix;
  return tie ? nullptr : closest;
}

std::string InsertMissingBlank(absl::string_view value, const OptionVocabulary& vocabulary) {
  for (size_t at = value.find("--"); at != absl::string_view::npos; at = value.find("--", at + 1)) {
    const absl::string_view rest = value.substr(at + 2);
    const std::string name = PlainDashes(rest.substr(0, rest.find('=')));
    const bool known = std::any_of(vocabulary.options.begin(), vocabulary.options.end(),
                                   [&](const OptionSpec& option) { return option.name == name; });
    if (known && at > 0) return absl::StrCat(value.substr(0, at), " ", value.substr(at));
  }
  return "";
}

}  // namespace dslap
