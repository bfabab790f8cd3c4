// Exit codes of dslap: the one table (docs/cli.md repeats it).
#ifndef DSLAP_CONTROLLER_EXIT_CODE_H_
#define DSLAP_CONTROLLER_EXIT_CODE_H_

namespace dslap {

enum class ExitCode {
  kValid = 0,     // finished; every statement and client did what was asked
  kInternal = 1,  // a fault of dslap itself, counts that the server contradicts among them, or
                  // output that could not be written
  kUsage = 2,     // the command line or a file it names
  kFailures = 3,  // finished or stopped, but statements or clients failed, or --deadline passed
  kAgentUnavailable = 4,  // an agent unreachable, refused, busy, incompatible or too small; nothing
                          // measured
  kAgentLost = 5,         // an agent was lost during the run; partial report printed
  kSetUpFailed = 6,       // set-up or tear-down failed, or the server does not allow the run
  kInterrupted = 130,     // by a signal; partial report printed
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_EXIT_CODE_H_
