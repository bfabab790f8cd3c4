#include "controller/cli/store_option.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "common/message_text.h"
#include "common/status_util.h"
#include "controller/cli/suggestion.h"
#include "controller/cli/value_parser.h"

namespace dslap {
namespace {

absl::Status OutOfRange(bool too_small, const std::string& limit) {
  return absl::InvalidArgumentError(
      absl::StrCat("must be at ", too_small ? "least " : "most ", limit));
}

// One call for each kind of field.
class FieldStore {
 public:
  FieldStore(const ParsedOption& option, OptionDraft* draft) : option_(option), draft_(draft) {}

  absl::Status operator()(const FlagField& flag) const {
    *flag.field(*draft_) = option_.enabled;
    return absl::OkStatus();
  }

  absl::Status operator()(const SwitchField& flag) const {
    flag.store(option_.enabled, draft_);
    return absl::OkStatus();
  }

  absl::Status operator()(const NumberField& number) const {
    ASSIGN_OR_RETURN(const uint64_t value, ParseNumber(*option_.text));
    if (value < number.minimum) return OutOfRange(true, absl::StrCat(number.minimum));
    if (value > number.maximum) return OutOfRange(false, absl::StrCat(number.maximum));
    *number.field(*draft_) = value;
    return absl::OkStatus();
  }

  absl::Status operator()(const DurationField& duration) const {
    ASSIGN_OR_RETURN(const uint64_t value, ParseDurationMs(*option_.text));
    const auto text = [](uint64_t ms) { return absl::FormatDuration(absl::Milliseconds(ms)); };
    if (value < duration.minimum_ms) return OutOfRange(true, text(duration.minimum_ms));
    if (value > duration.maximum_ms) return OutOfRange(false, text(duration.maximum_ms));
    *duration.field_ms(*draft_) = value;
    return absl::OkStatus();
  }

  absl::Status operator()(const TextField& text) const {
    *text.field(*draft_) = *option_.text;
    return absl::OkStatus();
  }

  absl::Status operator()(const OptionalTextField& text) const {
    *text.field(*draft_) = *option_.text;
    return absl::OkStatus();
  }

  absl::Status operator()(const CustomField& custom) const { return custom.store(option_, draft_); }

 private:
  const ParsedOption& option_;
  OptionDraft* const draft_;
};

// "--iterations=0" or "-i 0".
std::string ShownWithValue(const ParsedOption& option) {
  if (!option.text.has_value()) return option.shown;
  const std::string quoted = Quoted(*option.text);
  const std::string plain = quoted.substr(1, quoted.size() - 2);
  return absl::StrCat(option.shown, absl::StartsWith(option.shown, "--") ? "=" : " ", plain);
}

}  // namespace

absl::Status StoreOption(const ParsedOption& option, const OptionVocabulary& vocabulary,
                         OptionDraft* draft) {
  draft->given.emplace_back(option.spec->name);
  if (option.text.has_value() && !option.spec->free_text) {
    const std::string apart = InsertMissingBlank(*option.text, vocabulary);
    if (!apart.empty()) {
      return absl::InvalidArgumentError(
          absl::StrFormat("%s: two options without a blank between them; did you mean '--%s=%s'?",
                          ShownWithValue(option), option.spec->name, apart));
    }
  }
  return Annotate(std::visit(FieldStore(option, draft), option.spec->field),
                  ShownWithValue(option));
}

}  // namespace dslap
