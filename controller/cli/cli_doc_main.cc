// dslap_cli_doc: writes what is generated from the option table.
//
//   dslap_cli_doc docs/cli.md                the generated part of that page, anew and in place;
//   run
//                                            it after a change of the table, a test fails until
//                                            then
//   dslap_cli_doc --man TEMPLATE OUT         the manual page
//   dslap_cli_doc --completion OUT           the completion for bash
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "common/manual/write_manual.h"
#include "common/status_util.h"
#include "controller/cli/dslap_manual.h"
#include "controller/cli/option_markdown.h"

namespace dslap {
namespace {

absl::Status RenewMarkdown(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string page, ReadFile(path));
  ASSIGN_OR_RETURN(const std::string renewed, ReplaceGeneratedPart(page));
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << renewed << std::flush;
  return out ? absl::OkStatus() : absl::UnknownError(path + ": cannot be written");
}

absl::Status Write(const std::vector<std::string>& arguments) {
  if (arguments.size() == 1) return RenewMarkdown(arguments[0]);
  if (arguments.size() == 3 && arguments[0] == "--man") {
    return WriteManualPage(DslapManual(), arguments[1], arguments[2]);
  }
  if (arguments.size() == 2 && arguments[0] == "--completion") {
    return WriteBashCompletion(DslapManual(), arguments[1]);
  }
  return absl::InvalidArgumentError(
      "usage: dslap_cli_doc docs/cli.md | --man TEMPLATE OUT | --completion OUT");
}

}  // namespace
}  // namespace dslap

int main(int argc, char** argv) {
  const absl::Status status = dslap::Write(std::vector<std::string>(argv + 1, argv + argc));
  if (status.ok()) return 0;
  std::cerr << "dslap_cli_doc: " << status.message() << "\n";
  return absl::IsInvalidArgument(status) ? 2 : 1;
}
