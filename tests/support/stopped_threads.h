// Some threads of a child process that do not run while this lives, as if each waited for something
// that never comes; its other threads go on.
//
//   StoppedThreads stopped(agent.pid(), "leases");
#ifndef DSLAP_TESTS_SUPPORT_STOPPED_THREADS_H_
#define DSLAP_TESTS_SUPPORT_STOPPED_THREADS_H_

#include <sys/types.h>

#include <string>
#include <vector>

namespace dslap {

// To be used by one thread. Fails the test when there is no thread of that name, or it cannot be
// stopped.
class StoppedThreads {
 public:
  StoppedThreads(pid_t pid, const std::string& name);
  ~StoppedThreads() { Continue(); }
  StoppedThreads(const StoppedThreads&) = delete;
  StoppedThreads& operator=(const StoppedThreads&) = delete;

  // Idempotent.
  void Continue();

 private:
  std::vector<pid_t> threads_;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_SUPPORT_STOPPED_THREADS_H_
