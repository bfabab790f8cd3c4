// The real `dslap`, for tests.
//
//   const ProcessResult result = RunDslap({"-a", "--concurrency=5"});       // to its end
//   Subprocess dslap(DslapSpec({"--query=select sleep(1)"}));               // to play with
//
// --no-defaults and the way to the sandbox database are put before the arguments; what a test wants
// otherwise it gives again, the last one counts.
#ifndef DSLAP_TESTS_SUPPORT_DSLAP_PROCESS_H_
#define DSLAP_TESTS_SUPPORT_DSLAP_PROCESS_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "tests/support/subprocess.h"

namespace dslap {

// With --no-defaults and Sandbox() as the target.
SubprocessSpec DslapSpec(const std::vector<std::string>& arguments);

// With `arguments` only.
SubprocessSpec BareDslapSpec(const std::vector<std::string>& arguments);

// Runs DslapSpec() to its end; one that needs longer than `timeout` is killed (exit code -1).
ProcessResult RunDslap(const std::vector<std::string>& arguments,
                       absl::Duration timeout = absl::Seconds(60));

}  // namespace dslap

#endif  // DSLAP_TESTS_SUPPORT_DSLAP_PROCESS_H_
