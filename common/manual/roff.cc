#include "common/manual/roff.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace dslap {
namespace {

std::string Bold(absl::string_view text) { return absl::StrCat("\\fB", RoffEscape(text), "\\fR"); }

std::string Italic(absl::string_view text) {
  return absl::StrCat("\\fI", RoffEscape(text), "\\fR");
}

bool IsWord(absl::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), absl::ascii_islower);
}

// "FILE" in italics; of "refuse|warn" each word in bold, as it is written as it stands.
std::string Placeholder(absl::string_view placeholder) {
  const std::vector<absl::string_view> words = absl::StrSplit(placeholder, '|');
  if (words.size() < 2) return Italic(placeholder);
  return absl::StrJoin(words, "|", [](std::string* out, absl::string_view word) {
    absl::StrAppend(out, IsWord(word) ? Bold(word) : Italic(word));
  });
}

// The length of the option's name at the beginning of the text: 10 of "--ssl-mode=REQUIRED."; 0
// when there is none.
size_t OptionLength(absl::string_view text) {
  if (text.size() < 2 || text[0] != '-') return 0;
  size_t length = text[1] == '-' ? 2 : 1;
  if (length == text.size() || !absl::ascii_isalpha(text[length])) return 0;
  while (length < text.size() && (absl::ascii_isalnum(text[length]) || text[length] == '-')) {
    ++length;
  }
  return length;
}

// Names of options and what looks like code are not hyphenated: \% in front. Brackets and the like
// stand outside the bold print.
std::string TextWord(absl::string_view word) {
  const size_t lead = std::min(word.find_first_not_of("(["), word.size());
  const absl::string_view rest = word.substr(lead);
  const size_t length = OptionLength(rest);
  if (length == 0) {
    return absl::StrCat(word.find_first_of("_=/") == absl::string_view::npos ? "" : "\\%",
                        RoffEscape(word));
  }
  return absl::StrCat(RoffEscape(word.substr(0, lead)), "\\%", Bold(rest.substr(0, length)),
                      RoffEscape(rest.substr(length)));
}

std::string Syntax(const OptionEntry& option) {
  std::string name =
      absl::StrCat(option.letter == 0 ? "" : Bold(absl::StrCat("-", std::string(1, option.letter))),
                   option.letter == 0 ? "" : ", ", Bold(absl::StrCat("--", option.name)));
  switch (option.value) {
    case ValueUse::kNone:
      return name;
    case ValueUse::kRequired:
      return absl::StrCat(name, "=", Placeholder(option.placeholder));
    case ValueUse::kOptional:
      return absl::StrCat(name, "[=", Placeholder(option.placeholder), "]");
  }
  return name;
}

std::string Meaning(const OptionEntry& option) {
  std::string text = RoffText(option.help);
  if (!option.default_text.empty()) {
    absl::StrAppend(&text, RoffText(absl::StrCat("Default: ", option.default_text, ".")));
  }
  return text;
}

}  // namespace

std::string RoffEscape(absl::string_view text) {
  std::string out;
  if (!text.empty() && (text[0] == '.' || text[0] == '\'')) out = "\\&";
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '`':
        out += "\\(ga";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string RoffText(absl::string_view text) {
  std::vector<std::string> words;
  for (const absl::string_view word : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    words.push_back(TextWord(word));
  }
  return absl::StrCat(absl::StrJoin(words, " "), "\n");
}

std::string RoffOptions(const std::vector<OptionEntry>& options) {
  std::string text;
  std::string group;
  for (const OptionEntry& option : options) {
    if (option.group != group) absl::StrAppend(&text, ".SS ", RoffEscape(option.group), "\n");
    group = option.group;
    absl::StrAppend(&text, ".TP\n", Syntax(option), "\n", Meaning(option));
  }
  return text;
}

std::string RoffSettings(const std::vector<OptionEntry>& options) {
  std::string text;
  for (const OptionEntry& option : options) {
    if (option.command_line_only) continue;
    absl::StrAppend(&text, ".TP\n", Bold(option.name));
    if (option.value != ValueUse::kNone) {
      absl::StrAppend(&text, " = ", Placeholder(option.placeholder));
    }
    absl::StrAppend(&text, "\n", Meaning(option));
  }
  return text;
}

std::string RoffExitCodes(const std::vector<ExitCodeEntry>& codes) {
  std::string text;
  for (const ExitCodeEntry& row : codes) {
    absl::StrAppend(&text, ".TP\n", Bold(absl::StrCat(row.code)), "\n", RoffText(row.meaning));
  }
  return text;
}

}  // namespace dslap
