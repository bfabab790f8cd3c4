// What a running process uses, as the kernel tells it.
//
//   const ProcessFigures before = ReadProcessFigures(agent.process().pid());
#ifndef DSLAP_TESTS_SUPPORT_PROCESS_FIGURES_H_
#define DSLAP_TESTS_SUPPORT_PROCESS_FIGURES_H_

#include <sys/types.h>

#include <cstdint>

#include "absl/time/time.h"

namespace dslap {

// All zero: there is no such process (any more).
struct ProcessFigures {
  int threads = 0;
  int descriptors = 0;
  int64_t rss_bytes = 0;
  absl::Duration cpu;  // user and system, of all its threads
};

ProcessFigures ReadProcessFigures(pid_t pid);

}  // namespace dslap

#endif  // DSLAP_TESTS_SUPPORT_PROCESS_FIGURES_H_
