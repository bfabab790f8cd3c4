// dslap, the controller: reads the command line and hands over to the command it names.
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "common/log.h"
#include "common/standard_streams.h"
#include "controller/agents_command.h"
#include "controller/cli/help_text.h"
#include "controller/cli/parse_command_line.h"
#include "controller/debug_info.h"
#include "controller/run_benchmark.h"

int main(int argc, char** argv) {
  using dslap::Command;
  using dslap::ExitCode;
  dslap::OpenMissingStandardStreams();
  // What the agent inside this process logs of its runs is no news to who started it.
  dslap::SetLogLevel(dslap::LogLevel::kWarning);
  // What fails is said once, by us; set the variable to see gRPC's own view.
  setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0);

  std::vector<std::string> warnings;
  absl::StatusOr<dslap::Options> options =
      dslap::ParseCommandLine(argc, argv, dslap::ProcessEnvironment(), &warnings);
  for (const std::string& warning : warnings) std::cerr << "dslap: warning: " << warning << "\n";
  if (!options.ok()) {
    std::cerr << "dslap: " << options.status().message() << std::endl;
    return static_cast<int>(ExitCode::kUsage);
  }
  const bool debug_info = options->debug_info;
  ExitCode code = ExitCode::kValid;
  switch (options->command) {
    case Command::kHelp:
      std::cout << dslap::HelpText();
      break;
    case Command::kVersion:
      std::cout << dslap::VersionText();
      break;
    case Command::kPrintDefaults:
      std::cout << options->printed_defaults;
      break;
    case Command::kAgents:
      code = dslap::ShowAgents(*options);
      break;
    case Command::kRun:
      code = dslap::RunBenchmark(*std::move(options));
      break;
  }
  if (!std::cout.flush()) code = ExitCode::kInternal;
  if (debug_info) std::cerr << dslap::DebugInfo() << std::flush;
  return static_cast<int>(code);
}
