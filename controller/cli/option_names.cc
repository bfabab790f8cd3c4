#include "controller/cli/option_names.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"

namespace dslap {
namespace {

NameMatch MatchPlainName(absl::string_view name, const OptionVocabulary& vocabulary) {
  NameMatch match;
  if (name.empty()) return match;
  std::vector<const OptionSpec*> theirs;  // mysqlslap's
  std::vector<const OptionSpec*> ours;
  std::vector<const AbsentOption*> absent;
  for (const OptionSpec& option : vocabulary.options) {
    if (option.name == name) {
      match.option = &option;
      return match;
    }
    if (option.first_only || option.spelled_out || !absl::StartsWith(option.name, name)) continue;
    (option.own ? ours : theirs).push_back(&option);
  }
  for (const AbsentOption& option : vocabulary.absent) {
    if (option.name == name) {
      match.absent = &option;
      return match;
    }
    if (!option.spelled_out && absl::StartsWith(option.name, name)) absent.push_back(&option);
  }
  const size_t of_mysqlslap = theirs.size() + absent.size();
  if (of_mysqlslap == 1) {
    match.option = theirs.empty() ? nullptr : theirs.front();
    match.absent = absent.empty() ? nullptr : absent.front();
  } else if (of_mysqlslap == 0 && ours.size() == 1) {
    match.option = ours.front();
  } else {
    for (const OptionSpec* option : theirs) match.candidates.push_back(option->name);
    for (const OptionSpec* option : ours) match.candidates.push_back(option->name);
    for (const AbsentOption* option : absent) match.candidates.push_back(option->name);
  }
  return match;
}

NameMatch MatchSwitchedName(absl::string_view name, const OptionVocabulary& vocabulary) {
  NameMatch match = MatchPlainName(name, vocabulary);
  if (match.Found()) return match;
  NameSwitch switched = NameSwitch::kNone;
  if (absl::ConsumePrefix(&name, "skip-") || absl::ConsumePrefix(&name, "disable-")) {
    switched = NameSwitch::kOff;
  } else if (absl::ConsumePrefix(&name, "enable-")) {
    switched = NameSwitch::kOn;
  } else {
    return match;
  }
  match = MatchPlainName(name, vocabulary);
  match.switched = switched;
  return match;
}

}  // namespace

std::string CanonicalName(absl::string_view written) {
  return absl::AsciiStrToLower(absl::StrReplaceAll(written, {{"_", "-"}}));
}

NameMatch MatchName(absl::string_view name, const OptionVocabulary& vocabulary) {
  NameMatch match = MatchSwitchedName(name, vocabulary);
  if (match.Found() || !absl::ConsumePrefix(&name, "loose-")) return match;
  match = MatchSwitchedName(name, vocabulary);
  match.loose = true;
  return match;
}

const OptionSpec* FindLetter(char letter, const OptionVocabulary& vocabulary) {
  for (const OptionSpec& option : vocabulary.options) {
    if (letter != 0 && option.letter == letter) return &option;
  }
  return nullptr;
}

const AbsentOption* FindAbsentLetter(char letter, const OptionVocabulary& vocabulary) {
  for (const AbsentOption& option : vocabulary.absent) {
    if (letter != 0 && option.letter == letter) return &option;
  }
  return nullptr;
}

}  // namespace dslap
