#include "controller/coordination/shell_command.h"

#include <cstring>

#include "absl/strings/str_cat.h"

namespace dslap {

std::string CommandEnd::Describe() const {
  if (!start_failure.ok()) return std::string(start_failure.message());
  if (signal != 0) {
    return absl::StrCat("was ended by signal ", signal, " (", strsignal(signal), ")");
  }
  return absl::StrCat("ended with exit code ", exit_code);
}

}  // namespace dslap
