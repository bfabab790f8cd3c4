#include "controller/cli/command_line.h"

#include <cstring>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/message_text.h"
#include "common/status_util.h"
#include "controller/cli/option_names.h"
#include "controller/cli/option_switch.h"
#include "controller/cli/shell_quote.h"
#include "controller/cli/suggestion.h"
#include "controller/cli/usage_hints.h"
#include "controller/cli/value_parser.h"

namespace dslap {
namespace {

constexpr absl::string_view kMask = "********";

// Leaves a mark, so that the process list still shows an argument there.
void Overwrite(char* text) {
  const size_t length = std::strlen(text);
  std::memset(text, 0, length);
  if (length > 0) text[0] = 'x';
}

class Reader {
 public:
  Reader(absl::Span<char* const> arguments, const OptionVocabulary& vocabulary,
         std::vector<std::string>* warnings)
      : arguments_(arguments), vocabulary_(vocabulary), warnings_(warnings) {}

  absl::StatusOr<CommandLine> Read() {
    bool options_ended = false;
    for (; at_ < arguments_.size() && !stopped_; ++at_) {
      char* const argument = arguments_[at_];
      Show(argument);
      if (options_ended) return Stray(argument);
      if (std::strcmp(argument, "--") == 0) {
        options_ended = true;
      } else if (!FindLeadingDashes(argument).first_typographic.empty()) {
        return TypographicDash(argument, vocabulary_);
      } else if (absl::StartsWith(argument, "--")) {
        RETURN_IF_ERROR(ReadLong(argument));
      } else if (argument[0] == '-' && argument[1] != 0) {
        RETURN_IF_ERROR(ReadBundle(argument));
      } else {
        return Stray(argument);
      }
    }
    line_.echo = absl::StrJoin(line_.shown, " ", [](std::string* out, const ShownArgument& shown) {
      absl::StrAppend(out, ShellQuote(shown.text), shown.masked ? kMask : "");
    });
    return std::move(line_);
  }

 private:
  absl::Status ReadLong(char* argument);
  absl::Status ReadBundle(char* argument);
  absl::Status TakeLongValue(char* value, ParsedOption* parsed);
  absl::Status TakeNextArgument(ParsedOption* parsed);
  void TakeText(char* value, ParsedOption* parsed);
  void Show(const char* argument) { line_.shown.push_back({argument, false}); }
  void Add(ParsedOption parsed);
  absl::Status Stray(absl::string_view argument) const;

  const absl::Span<char* const> arguments_;
  const OptionVocabulary& vocabulary_;
  std::vector<std::string>* const warnings_;
  CommandLine line_;
  size_t at_ = 0;          // the argument being read
  size_t last_added_ = 0;  // the argument that the last option stood in
  bool stopped_ = false;
  bool leading_ = true;  // only options that say which option files to read so far
};

absl::Status Reader::Stray(absl::string_view argument) const {
  const bool follows = at_ == last_added_ + 1 && !line_.options.empty();
  return UnexpectedArgument(argument, follows ? &line_.options.back() : nullptr, vocabulary_);
}

void Reader::Add(ParsedOption parsed) {
  last_added_ = at_;
  stopped_ = stopped_ || parsed.spec->stops;
  leading_ = parsed.spec->first_only;
  if (leading_) line_.first_only_arguments = line_.shown.size();
  line_.options.push_back(std::move(parsed));
}

// The value, and where it is secret nothing of it left in argv and in the echo.
void Reader::TakeText(char* value, ParsedOption* parsed) {
  if (!parsed->spec->secret) {
    parsed->text = value;
    return;
  }
  parsed->secret = Secret(value);
  const size_t before = static_cast<size_t>(value - arguments_[at_]);
  line_.shown.back() = {std::string(arguments_[at_], before), value[0] != 0};
  Overwrite(value);
}

absl::Status Reader::TakeNextArgument(ParsedOption* parsed) {
  if (at_ + 1 == arguments_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(parsed->shown, ": needs a value (", parsed->spec->placeholder, ")"));
  }
  ++at_;
  Show(arguments_[at_]);
  TakeText(arguments_[at_], parsed);
  return absl::OkStatus();
}

absl::Status Reader::TakeLongValue(char* value, ParsedOption* parsed) {
  const bool flag = IsSwitch(*parsed->spec);
  switch (parsed->spec->argument) {
    case ArgumentKind::kNone:
      if (value != nullptr && !flag) {
        return absl::InvalidArgumentError(absl::StrCat(parsed->shown, ": takes no value"));
      }
      break;
    case ArgumentKind::kRequired:
      if (value == nullptr) return TakeNextArgument(parsed);
      TakeText(value, parsed);
      break;
    case ArgumentKind::kOptional:
      if (value != nullptr) TakeText(value, parsed);
      break;
  }
  return absl::OkStatus();
}

absl::Status Reader::ReadLong(char* argument) {
  char* const equals = std::strchr(argument, '=');
  char* const value = equals == nullptr ? nullptr : equals + 1;
  const absl::string_view typed =
      equals == nullptr ? absl::string_view(argument)
                        : absl::string_view(argument, static_cast<size_t>(equals - argument));
  const std::string name = CanonicalName(typed.substr(2));
  const NameMatch match = MatchName(name, vocabulary_);
  if (!match.candidates.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("ambiguous option ", Quoted(typed),
                                                   ": it may mean --",
                                                   absl::StrJoin(match.candidates, ", --")));
  }
  if (match.option == nullptr) {
    if (match.loose) {
      warnings_->push_back(absl::StrCat("unknown option ", Quoted(typed), " is passed over"));
      if (value != nullptr) line_.shown.back() = {absl::StrCat(typed, "="), true};
      leading_ = false;
      return absl::OkStatus();
    }
    if (match.absent != nullptr) {
      return AbsentHere(absl::StrCat("--", match.absent->name), *match.absent);
    }
    return UnknownOption(name, value == nullptr ? "" : absl::StrCat("=", value), vocabulary_);
  }
  ParsedOption parsed;
  parsed.spec = match.option;
  parsed.shown = absl::StrCat("--", match.option->name);
  if (match.option->first_only && !leading_) {
    return absl::InvalidArgumentError(
        absl::StrCat(parsed.shown, ": must stand before all other options"));
  }
  const std::optional<absl::string_view> value_text =
      value == nullptr ? std::nullopt : std::optional<absl::string_view>(value);
  RETURN_IF_ERROR(SwitchOption(match.switched, value_text, &parsed));
  if (match.switched == NameSwitch::kNone) RETURN_IF_ERROR(TakeLongValue(value, &parsed));
  Add(std::move(parsed));
  return absl::OkStatus();
}

absl::Status Reader::ReadBundle(char* argument) {
  RETURN_IF_ERROR(CheckSingleDash(argument + 1, vocabulary_));
  for (char* letter = argument + 1; *letter != 0; ++letter) {
    ParsedOption parsed;
    parsed.spec = FindLetter(*letter, vocabulary_);
    parsed.shown = std::string({'-', *letter});
    if (parsed.spec == nullptr) {
      const AbsentOption* const absent = FindAbsentLetter(*letter, vocabulary_);
      if (absent != nullptr) {
        return AbsentHere(absl::StrCat(parsed.shown, " (--", absent->name, ")"), *absent);
      }
      // The letter only: what follows it may be a password.
      return absl::InvalidArgumentError(absl::StrCat("unknown option ", Quoted(parsed.shown)));
    }
    if (parsed.spec->argument == ArgumentKind::kNone) {
      Add(std::move(parsed));
      if (stopped_) return absl::OkStatus();
      continue;
    }
    if (letter[1] != 0) {
      TakeText(letter + 1, &parsed);
    } else if (parsed.spec->argument == ArgumentKind::kRequired) {
      RETURN_IF_ERROR(TakeNextArgument(&parsed));
    }
    Add(std::move(parsed));
    return absl::OkStatus();
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CommandLine> ReadCommandLine(absl::Span<char* const> arguments,
                                            const OptionVocabulary& vocabulary,
                                            std::vector<std::string>* warnings) {
  return Reader(arguments, vocabulary, warnings).Read();
}

}  // namespace dslap
