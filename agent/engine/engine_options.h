// How a run's clients are to be carried.
#ifndef DSLAP_AGENT_ENGINE_ENGINE_OPTIONS_H_
#define DSLAP_AGENT_ENGINE_ENGINE_OPTIONS_H_

#include <cstddef>
#include <cstdint>

namespace dslap {

enum class EngineKind : uint8_t {
  kAuto,     // by the number of clients of each round
  kThreads,  // a thread for each client
  kLoops,    // a few event loops
};

struct EngineOptions {
  EngineKind kind = EngineKind::kAuto;
  size_t loops = 0;                 // event loops; 0: one for each core
  size_t connect_parallelism = 64;  // connects under way at a time, at most; not 0
  int64_t connect_interval_ns = 0;  // between the starts of two connects before a round
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_ENGINE_OPTIONS_H_
