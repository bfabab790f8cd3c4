#include "controller/cli/file_options.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <variant>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/message_text.h"
#include "common/secret.h"
#include "common/status_util.h"
#include "controller/cli/option_names.h"
#include "controller/cli/option_switch.h"
#include "controller/cli/store_option.h"
#include "controller/cli/usage_hints.h"
#include "controller/cli/value_parser.h"

namespace dslap {
namespace {

absl::Status TakeValue(const std::optional<Secret>& value, ParsedOption* parsed) {
  const OptionSpec& spec = *parsed->spec;
  const bool takes_value = spec.argument != ArgumentKind::kNone;
  if (!value.has_value()) {
    if (spec.argument != ArgumentKind::kRequired) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat(parsed->shown, ": needs a value, ", spec.name, " = ", spec.placeholder));
  }
  if (!takes_value) {
    if (IsSwitch(spec)) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(parsed->shown, ": takes no value"));
  }
  if (spec.secret) {
    parsed->secret = value;
  } else {
    parsed->text = value->Reveal();
  }
  return absl::OkStatus();
}

// Nothing for an unknown option that is allowed to be.
absl::StatusOr<std::optional<ParsedOption>> ReadEntry(const OptionFileEntry& entry,
                                                      const OptionVocabulary& vocabulary) {
  const std::string name = CanonicalName(entry.name);
  const NameMatch match = MatchName(name, vocabulary);
  if (!match.candidates.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("ambiguous option ", Quoted(entry.name),
                                                   ": it may mean ",
                                                   absl::StrJoin(match.candidates, ", ")));
  }
  if (match.absent != nullptr)
    return AbsentHere(absl::StrCat("--", match.absent->name), *match.absent);
  if (match.option == nullptr) {
    if (match.loose) return std::nullopt;
    if (name.empty()) return absl::InvalidArgumentError("an option without a name");
    const absl::Status unknown = UnknownOption(name, "", vocabulary);
    return absl::InvalidArgumentError(absl::StrCat(
        unknown.message(), absl::EndsWith(unknown.message(), "?") ? " If" : "; if",
        " it is for other programs, write loose-", name, " or put it into a group of theirs"));
  }
  ParsedOption parsed;
  parsed.spec = match.option;
  parsed.shown = absl::StrCat("--", match.option->name);
  if (match.option->first_only) {
    return absl::InvalidArgumentError(
        absl::StrCat(parsed.shown, ": has its place on the command line only"));
  }
  std::optional<absl::string_view> text;
  if (entry.value.has_value()) text = entry.value->Reveal();
  RETURN_IF_ERROR(SwitchOption(match.switched, text, &parsed));
  if (match.switched == NameSwitch::kNone) RETURN_IF_ERROR(TakeValue(entry.value, &parsed));
  return parsed;
}

// So that of --password and --password-file the last one counts, wherever both stand.
void ForgetPassword(OptionDraft* draft) {
  draft->password_file.reset();
  draft->options.target.password = Secret();
  draft->options.ask_password = false;
}

bool IsPassword(const ParsedOption& option) {
  const absl::string_view name = option.spec->name;
  return name == "password" || name == "password1" || name == "password-file";
}

bool Names(absl::string_view message, absl::string_view option) {
  const std::string spelled = absl::StrCat("--", option);
  size_t at = message.find(spelled);
  while (at != absl::string_view::npos) {
    const size_t end = at + spelled.size();
    const bool longer =
        end < message.size() &&
        (absl::ascii_isalnum(static_cast<unsigned char>(message[end])) || message[end] == '-');
    if (!longer) return true;
    at = message.find(spelled, end);
  }
  return false;
}

}  // namespace

absl::StatusOr<std::vector<ParsedOption>> ReadFileOptions(
    const std::vector<OptionFileEntry>& entries, const OptionVocabulary& vocabulary,
    std::vector<std::string>* warnings) {
  std::vector<ParsedOption> options;
  for (const OptionFileEntry& entry : entries) {
    const std::string place = absl::StrCat(entry.file, ":", entry.line);
    absl::StatusOr<std::optional<ParsedOption>> option = ReadEntry(entry, vocabulary);
    if (!option.ok()) return Annotate(option.status(), place);
    if (!option->has_value()) {
      warnings->push_back(
          absl::StrCat(place, ": unknown option ", Quoted(entry.name), " is passed over"));
      continue;
    }
    (*option)->place = place;
    options.push_back(std::move(**option));
  }
  return options;
}

absl::StatusOr<OptionPlaces> StoreFileOptions(const std::vector<ParsedOption>& options,
                                              const OptionVocabulary& vocabulary,
                                              OptionDraft* draft) {
  OptionPlaces places;
  for (const ParsedOption& option : options) {
    if (IsPassword(option)) ForgetPassword(draft);
    const absl::Status stored = StoreOption(option, vocabulary, draft);
    if (!stored.ok()) return Annotate(stored, option.place);
    places[std::string(option.spec->name.data(), option.spec->name.size())] = option.place;
  }
  draft->given.clear();
  // MariaDB's mysqlslap lets --port and --socket choose on the command line only.
  draft->implied_protocol = TransportProtocol::kDefault;
  return places;
}

absl::Status StoreCommandLine(const std::vector<ParsedOption>& options,
                              const OptionVocabulary& vocabulary, OptionDraft* draft) {
  if (std::any_of(options.begin(), options.end(), IsPassword)) ForgetPassword(draft);
  for (const ParsedOption& option : options) {
    if (option.spec->first_only) continue;
    RETURN_IF_ERROR(StoreOption(option, vocabulary, draft));
  }
  return absl::OkStatus();
}

absl::Status WithPlaces(const absl::Status& status, const OptionPlaces& places,
                        const std::vector<std::string>& given) {
  std::vector<std::string> origins;
  for (const auto& [name, place] : places) {
    const bool on_command_line = std::find(given.begin(), given.end(), name) != given.end();
    if (!on_command_line && Names(status.message(), name)) {
      origins.push_back(absl::StrCat("--", name, " is from ", place));
    }
  }
  if (status.ok() || origins.empty()) return status;
  return absl::Status(status.code(),
                      absl::StrCat(status.message(), " (", absl::StrJoin(origins, ", "), ")"));
}

}  // namespace dslap
