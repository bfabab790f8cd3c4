#include "controller/cli/shell_quote.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace dslap {

std::string ShellQuote(absl::string_view argument) {
  constexpr absl::string_view kPlain = "-_=./:,@%+";
  const bool plain = std::all_of(argument.begin(), argument.end(), [&](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
           kPlain.find(c) != absl::string_view::npos;
  });
  if (plain && !argument.empty()) return absl::StrCat(argument);
  return absl::StrCat("'", absl::StrReplaceAll(argument, {{"'", "'\\''"}}), "'");
}

}  // namespace dslap
