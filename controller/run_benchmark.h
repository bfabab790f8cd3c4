// `dslap ...`: from checked options to the report and the exit code. Composes the parts; decides
// nothing that they decide.
#ifndef DSLAP_CONTROLLER_RUN_BENCHMARK_H_
#define DSLAP_CONTROLLER_RUN_BENCHMARK_H_

#include "controller/exit_code.h"
#include "controller/options.h"

namespace dslap {

// Takes over SIGINT and SIGTERM: the first ends the run cleanly, the second ends the process. Call
// before other threads start.
ExitCode RunBenchmark(Options options);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_RUN_BENCHMARK_H_
