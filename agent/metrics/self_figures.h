// What this process uses, as the kernel tells it.
#ifndef DSLAP_AGENT_METRICS_SELF_FIGURES_H_
#define DSLAP_AGENT_METRICS_SELF_FIGURES_H_

#include <cstdint>

namespace dslap {

// 0: not known.
struct SelfFigures {
  double cpu_seconds = 0;         // user and system, of all threads
  double start_time_seconds = 0;  // since 1970
  uint64_t resident_bytes = 0;
  uint64_t virtual_bytes = 0;
  uint64_t threads = 0;
  uint64_t open_files = 0;
  uint64_t max_open_files = 0;
};

// Thread-safe; reads the system anew at every call.
SelfFigures ReadSelfFigures();

}  // namespace dslap

#endif  // DSLAP_AGENT_METRICS_SELF_FIGURES_H_
