#include "controller/cli/usage_hints.h"

#include <algorithm>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "common/message_text.h"
#include "controller/cli/option_names.h"
#include "controller/cli/suggestion.h"
#include "controller/cli/value_parser.h"

namespace dslap {
namespace {

// "--engine=innodb" for a hint; the value of a secret option is left out.
std::string Spelled(const OptionSpec& option, absl::string_view after_name) {
  const bool hide = option.secret && absl::StartsWith(after_name, "=");
  return Quoted(absl::StrCat("--", option.name, hide ? "=..." : after_name));
}

}  // namespace

absl::Status UnknownOption(absl::string_view name, absl::string_view after_name,
                           const OptionVocabulary& vocabulary) {
  const OptionSpec* const closest = ClosestOption(name, vocabulary);
  return absl::InvalidArgumentError(absl::StrCat(
      "unknown option ", Quoted(absl::StrCat("--", name)),
      closest == nullptr ? ""
                         : absl::StrCat("; did you mean ", Spelled(*closest, after_name), "?")));
}

absl::Status AbsentHere(absl::string_view shown, const AbsentOption& option) {
  return absl::InvalidArgumentError(absl::StrCat(shown, ": ", option.reason, "; leave it out"));
}

absl::Status TypographicDash(absl::string_view argument, const OptionVocabulary& vocabulary) {
  const LeadingDashes dashes = FindLeadingDashes(argument);
  const absl::string_view body = argument.substr(dashes.bytes);
  const size_t name_length = std::min(body.find('='), body.size());
  const OptionSpec* option = ClosestOption(PlainDashes(body.substr(0, name_length)), vocabulary);
  std::string meant;
  if (option != nullptr) {
    meant = Spelled(*option, body.substr(name_length));
  } else if (!body.empty() && FindLetter(body.front(), vocabulary) != nullptr) {
    option = FindLetter(body.front(), vocabulary);
    meant = Quoted(absl::StrCat("-", option->secret ? body.substr(0, 1) : body));
  }
  // The name only: the rest may be a password.
  const bool hide = option != nullptr && option->secret;
  return absl::InvalidArgumentError(absl::StrCat(
      hide ? "an argument" : Quoted(argument), " begins with ", dashes.first_typographic,
      ", which is not the hyphen that options begin with",
      meant.empty() ? "; type it anew with '--'" : absl::StrCat("; did you mean ", meant, "?")));
}

absl::Status UnexpectedArgument(absl::string_view argument, const ParsedOption* before,
                                const OptionVocabulary& vocabulary) {
  const bool lacks_value = before != nullptr && before->spec->argument == ArgumentKind::kOptional &&
                           !before->text.has_value() && !before->secret.has_value() &&
                           before->enabled;
  if (lacks_value && before->spec->secret) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the argument after ", before->shown, " is not taken as its value: attach it, as in -",
        std::string(1, before->spec->letter), before->spec->placeholder, " or --",
        before->spec->name, "=", before->spec->placeholder));
  }
  const std::string what = absl::StrCat("unexpected argument ", Quoted(argument));
  if (lacks_value) {
    return absl::InvalidArgumentError(absl::StrCat(
        what, "; did you mean ", Spelled(*before->spec, absl::StrCat("=", argument)), "?"));
  }
  const size_t equals = argument.find('=');
  if (equals != absl::string_view::npos) {
    const NameMatch match =
        MatchName(absl::StrReplaceAll(argument.substr(0, equals), {{"_", "-"}}), vocabulary);
    if (match.option != nullptr) {
      if (match.option->secret)
        return absl::InvalidArgumentError("unexpected argument; did you mean --password?");
      return absl::InvalidArgumentError(absl::StrCat(
          what, "; did you mean ", Spelled(*match.option, argument.substr(equals)), "?"));
    }
  }
  return absl::InvalidArgumentError(absl::StrCat(
      what,
      ": only options are taken; if it belongs to the value before it, quote that value "
      "as a whole"));
}

// A long option behind a single hyphen reads as a short one with a strange value: refused, unless
// it may be a password.
absl::Status CheckSingleDash(absl::string_view body, const OptionVocabulary& vocabulary) {
  const size_t name_length = std::min(body.find('='), body.size());
  const std::string name = PlainDashes(body.substr(0, name_length));
  const bool has_value = name_length < body.size();
  const OptionSpec* const letter = FindLetter(body.front(), vocabulary);
  if (letter != nullptr && letter->secret && !has_value) return absl::OkStatus();
  for (const OptionSpec& option : vocabulary.options) {
    if (option.name != name) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("long options begin with two hyphens; did you mean ",
                     Spelled(option, body.substr(name_length)), "?"));
  }
  return absl::OkStatus();
}

}  // namespace dslap
