#include "common/manual/write_manual.h"

#include <fstream>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "common/manual/bash_completion.h"
#include "common/manual/page_template.h"
#include "common/manual/roff.h"
#include "common/status_util.h"
#include "common/version.h"

namespace dslap {
namespace {

absl::Status WriteFile(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text << std::flush;
  return out ? absl::OkStatus() : absl::UnknownError(absl::StrCat(path, ": cannot be written"));
}

}  // namespace

absl::Status WriteManualPage(const ProgramManual& manual, const std::string& page_template,
                             const std::string& out) {
  ASSIGN_OR_RETURN(const std::string page, ReadFile(page_template));
  const absl::StatusOr<std::string> filled =
      FillPage(page, {{"OPTIONS", RoffOptions(manual.options)},
                      {"SETTINGS", RoffSettings(manual.options)},
                      {"EXIT_CODES", RoffExitCodes(manual.exit_codes)},
                      {"VERSION", RoffEscape(BuildVersion())}});
  RETURN_IF_ERROR(Annotate(filled.status(), page_template));
  return WriteFile(out, *filled);
}

absl::Status WriteBashCompletion(const ProgramManual& manual, const std::string& out) {
  return WriteFile(out, BashCompletion(manual));
}

}  // namespace dslap
