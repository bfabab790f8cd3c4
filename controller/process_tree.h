// The processes that a process has started, and those that they have started in turn.
//
//   for (pid_t pid : DescendantsOf(shell)) kill(pid, SIGTERM);
#ifndef DSLAP_CONTROLLER_PROCESS_TREE_H_
#define DSLAP_CONTROLLER_PROCESS_TREE_H_

#include <sys/types.h>

#include <vector>

namespace dslap {

// As they are now, parents first; without `ancestor` itself. A process whose parent has ended is
// nobody's descendant any more. Empty where there is no /proc.
std::vector<pid_t> DescendantsOf(pid_t ancestor);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_PROCESS_TREE_H_
