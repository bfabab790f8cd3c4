// The entrance of this folder: argv in, checked Options out.
//
//   std::vector<std::string> warnings;
//   absl::StatusOr<Options> options =
//       ParseCommandLine(argc, argv, ProcessEnvironment(), &warnings);
//   // each of `warnings`: stderr, "dslap: warning: <line>"
//   if (!options.ok()) {
//     // stderr: "dslap: <message>"; exit with ExitCode::kUsage
//   }
//   switch (options->command) {
//     case Command::kHelp: std::cout << HelpText();         // help_text.h
//     case Command::kVersion: std::cout << VersionText();
//     case Command::kPrintDefaults: std::cout << options->printed_defaults;
//     case Command::kAgents: ...                            // the table of agents
//     case Command::kRun:
//       if (options->ask_password) ... ReadPasswordFromTerminal()   // password_prompt.h
//   }
//
// On the way: command_line.h (spelling) -> read_defaults.h, file_options.h (option files) ->
// store_option.h (values, by the rows of option_table.h) -> build_options.h (what depends on
// several options; files).
#ifndef DSLAP_CONTROLLER_CLI_PARSE_COMMAND_LINE_H_
#define DSLAP_CONTROLLER_CLI_PARSE_COMMAND_LINE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "controller/cli/environment.h"
#include "controller/options.h"

namespace dslap {

// argv[0] is the program, argv[1] may be the command "agents". The text of a password is
// overwritten in argv, so that it does not stay readable in the process list. Any failure is
// INVALID_ARGUMENT, its message complete. Call before other threads start.
absl::StatusOr<Options> ParseCommandLine(int argc, char** argv, const Environment& environment,
                                         std::vector<std::string>* warnings);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_PARSE_COMMAND_LINE_H_
