// Random numbers of one client: the same for the same round and client number on any host, so that
// a run can be repeated. SplitMix64: eight bytes of state, good enough to spread keys.
#ifndef DSLAP_AGENT_ENGINE_CLIENT_RANDOM_H_
#define DSLAP_AGENT_ENGINE_CLIENT_RANDOM_H_

#include <cstdint>

namespace dslap {

class ClientRandom {
 public:
  ClientRandom(uint64_t round, uint64_t client) : state_(round) { state_ = Next() ^ client; }

  uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15;
    uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }

  // In [0, bound); `bound` is not 0 and below 2^32, so that the bias is below one in 2^32.
  uint64_t Below(uint64_t bound) { return ((Next() >> 32) * bound) >> 32; }

 private:
  uint64_t state_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_CLIENT_RANDOM_H_
