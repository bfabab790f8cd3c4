#include "tests/support/dslap_process.h"

#include "absl/strings/str_cat.h"
#include "tests/support/sandbox_database.h"

namespace dslap {

SubprocessSpec BareDslapSpec(const std::vector<std::string>& arguments) {
  SubprocessSpec spec;
  spec.argv = {absl::StrCat(DSLAP_BINARY_DIR, "/bin/dslap")};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  return spec;
}

SubprocessSpec DslapSpec(const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {"--no-defaults"};
  const std::vector<std::string> target = Sandbox().ClientArguments();
  all.insert(all.end(), target.begin(), target.end());
  all.insert(all.end(), arguments.begin(), arguments.end());
  return BareDslapSpec(all);
}

ProcessResult RunDslap(const std::vector<std::string>& arguments, absl::Duration timeout) {
  return RunProcess(DslapSpec(arguments), timeout);
}

}  // namespace dslap
