// One value out of a few that have names.
//
//   static constexpr Choice<LoadType> kChoices[] = {{"mixed", LoadType::kMixed}, ...};
//   ASSIGN_OR_RETURN(type, Choose(text, kChoices));
#ifndef DSLAP_CONTROLLER_CLI_CHOOSE_H_
#define DSLAP_CONTROLLER_CLI_CHOOSE_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/message_text.h"
#include "controller/cli/value_parser.h"

namespace dslap {

template <typename T>
struct Choice {
  absl::string_view name;
  T value;
};

// The choice called `text` in any case, or INVALID_ARGUMENT that names all of them.
template <typename T, size_t N>
absl::StatusOr<T> Choose(absl::string_view text, const Choice<T> (&choices)[N]) {
  std::string names;
  for (const Choice<T>& choice : choices) {
    if (absl::EqualsIgnoreCase(choice.name, text)) return choice.value;
    absl::StrAppend(&names, names.empty() ? "" : ", ", choice.name);
  }
  return absl::InvalidArgumentError(absl::StrCat(Quoted(text), " is none of: ", names));
}

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_CHOOSE_H_
