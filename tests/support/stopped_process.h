// A process that does not run while this lives (SIGSTOP): its host goes on to take and acknowledge
// whatever is sent to it, and nothing comes back.
//
//   const StoppedProcess stopped(Sandbox().pid());
#ifndef DSLAP_TESTS_SUPPORT_STOPPED_PROCESS_H_
#define DSLAP_TESTS_SUPPORT_STOPPED_PROCESS_H_

#include <sys/types.h>

namespace dslap {

// When made, every thread of the process has stopped; else the test has failed.
class StoppedProcess {
 public:
  explicit StoppedProcess(pid_t pid);
  ~StoppedProcess() { Continue(); }
  StoppedProcess(const StoppedProcess&) = delete;
  StoppedProcess& operator=(const StoppedProcess&) = delete;

  // Idempotent.
  void Continue();

 private:
  const pid_t pid_;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_SUPPORT_STOPPED_PROCESS_H_
