// What the tests of whole command lines share: from argv, over a faked environment, to Options or
// the refusal.
#ifndef DSLAP_TESTS_CONTROLLER_CLI_COMMAND_LINE_FIXTURE_H_
#define DSLAP_TESTS_CONTROLLER_CLI_COMMAND_LINE_FIXTURE_H_

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "controller/cli/parse_command_line.h"
#include "gtest/gtest.h"
#include "tests/controller/cli/argv_buffer.h"
#include "tests/controller/cli/fake_environment.h"

namespace dslap {

class CommandLineFixture : public testing::Test {
 protected:
  // The program's name is put before the arguments.
  virtual absl::StatusOr<Options> Parse(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "dslap");
    ArgvBuffer argv(arguments);
    warnings_.clear();
    return ParseCommandLine(argv.argc(), argv.argv(), files_.MakeEnvironment(), &warnings_);
  }

  Options Accepted(const std::vector<std::string>& arguments) {
    absl::StatusOr<Options> options = Parse(arguments);
    EXPECT_TRUE(options.ok()) << options.status();
    return options.ok() ? *options : Options();
  }

  std::string Refused(const std::vector<std::string>& arguments) {
    const absl::StatusOr<Options> options = Parse(arguments);
    EXPECT_EQ(options.status().code(), absl::StatusCode::kInvalidArgument);
    return absl::StrCat(options.status().message());
  }

  FakeFiles files_;
  std::vector<std::string> warnings_;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_CONTROLLER_CLI_COMMAND_LINE_FIXTURE_H_
