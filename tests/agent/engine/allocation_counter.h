// A program that links this counts its own allocations: the global operators new are replaced.
#ifndef DSLAP_TESTS_AGENT_ENGINE_ALLOCATION_COUNTER_H_
#define DSLAP_TESTS_AGENT_ENGINE_ALLOCATION_COUNTER_H_

#include <cstdint>

namespace dslap {

// Of all threads since the program began. Thread-safe.
uint64_t AllocationCount();

}  // namespace dslap

#endif  // DSLAP_TESTS_AGENT_ENGINE_ALLOCATION_COUNTER_H_
