#include "tests/compat/reference_program.h"

#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "tests/support/dslap_process.h"

namespace dslap {
namespace {

constexpr absl::Duration kTimeout = absl::Seconds(30);

ProcessResult Run(std::vector<std::string> command, const std::vector<std::string>& arguments) {
  command.insert(command.end(), arguments.begin(), arguments.end());
  return RunProcess({.argv = std::move(command)}, kTimeout);
}

std::vector<std::string> Printing(const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {"--no-defaults", "--only-print"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return all;
}

}  // namespace

ReferenceProgram FindReference(Compat compat) {
  ReferenceProgram reference;
  reference.compat = compat;
  reference.command = {"mysqlslap"};
  if (compat == Compat::kMySql) {
    const char* const given = std::getenv("DSLAP_ORACLE_MYSQLSLAP");
    if (given == nullptr || *given == '\0') {
      reference.skip_reason =
          "DSLAP_ORACLE_MYSQLSLAP is not set: give the command line of Oracle's mysqlslap";
      return reference;
    }
    reference.command = absl::StrSplit(given, ' ', absl::SkipEmpty());
  }
  const ProcessResult version = Run(reference.command, {"--version"});
  reference.version = std::string(absl::StripAsciiWhitespace(version.out));
  if (version.exit_code != 0) {
    reference.error = absl::StrCat("cannot run ", reference.command[0], " --version: ", version.err,
                                   " (Debian package mariadb-client has MariaDB's mysqlslap)");
  } else if (compat == Compat::kMariaDb && !absl::StrContains(version.out, "10.11.")) {
    reference.skip_reason =
        absl::StrCat("compared with MariaDB 10.11 only, this is ", reference.version);
  } else if (absl::StrContains(version.out, "MariaDB") != (compat == Compat::kMariaDb)) {
    reference.error = absl::StrCat("the wrong program: ", reference.version);
  }
  return reference;
}

ProcessResult PrintWithReference(const ReferenceProgram& reference,
                                 const std::vector<std::string>& arguments) {
  return Run(reference.command, Printing(arguments));
}

ProcessResult PrintWithDslap(Compat compat, const std::vector<std::string>& arguments) {
  std::vector<std::string> all = Printing(arguments);
  all.push_back(compat == Compat::kMySql ? "--compat=mysql" : "--compat=mariadb");
  return RunProcess(BareDslapSpec(all), kTimeout);
}

}  // namespace dslap
