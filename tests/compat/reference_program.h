// The real mysqlslap of MariaDB and of Oracle, as what dslap is compared with.
//
//   const ReferenceProgram reference = FindReference(Compat::kMariaDb);
//   if (!reference.skip_reason.empty()) GTEST_SKIP() << reference.skip_reason;
//
// MariaDB's is found on PATH. Oracle's is not in Debian 12: the environment variable
// DSLAP_ORACLE_MYSQLSLAP gives it as the beginning of a command line, words separated by blanks
// ("chroot /srv/mysql9 mysqlslap"). It may live in another file system: give it no files.
#ifndef DSLAP_TESTS_COMPAT_REFERENCE_PROGRAM_H_
#define DSLAP_TESTS_COMPAT_REFERENCE_PROGRAM_H_

#include <string>
#include <vector>

#include "controller/options.h"
#include "tests/support/subprocess.h"

namespace dslap {

struct ReferenceProgram {
  Compat compat = Compat::kMySql;
  std::vector<std::string> command;  // what precedes the arguments
  std::string version;               // as it names itself
  std::string skip_reason;           // not empty: there is nothing to compare with
  std::string error;                 // not empty: what must be there is not
};

ReferenceProgram FindReference(Compat compat);

// Both print what they would send with `arguments`; dslap follows the reference's compat.
ProcessResult PrintWithReference(const ReferenceProgram& reference,
                                 const std::vector<std::string>& arguments);
ProcessResult PrintWithDslap(Compat compat, const std::vector<std::string>& arguments);

}  // namespace dslap

#endif  // DSLAP_TESTS_COMPAT_REFERENCE_PROGRAM_H_
