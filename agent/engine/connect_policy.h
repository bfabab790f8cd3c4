// What to do when a connection cannot be made: try again, give up, or have nobody else try.
//
//   ConnectBackoff backoff(clock->NowNs());
//   if (JudgeConnectError(code) == ConnectVerdict::kRetry) pause = backoff.Next(now_ns, random);
#ifndef DSLAP_AGENT_ENGINE_CONNECT_POLICY_H_
#define DSLAP_AGENT_ENGINE_CONNECT_POLICY_H_

#include <cstdint>
#include <optional>

namespace dslap {

enum class ConnectVerdict {
  kRetry,     // may heal by itself: a full backlog, too many connections just now
  kGiveUp,    // will not heal for this client; another may still get in
  kHopeless,  // the same for every client: wrong password, no such schema, unknown host
};

ConnectVerdict JudgeConnectError(uint32_t code);

// Pauses between the attempts of one client: doubling from 0.1 s to 1.6 s, the last beginning
// within 5 s of the first attempt. Pure.
class ConnectBackoff {
 public:
  explicit ConnectBackoff(int64_t first_attempt_ns) : give_up_at_ns_(first_attempt_ns + kTotalNs) {}

  // Length of the next pause, shortened by up to half by `random` so that a crowd spreads out;
  // nothing when it would end after the 5 s.
  std::optional<int64_t> Next(int64_t now_ns, uint64_t random);

 private:
  static constexpr int64_t kTotalNs = 5'000'000'000;
  static constexpr int64_t kFirstNs = 100'000'000;
  static constexpr int64_t kLongestNs = 1'600'000'000;

  int64_t give_up_at_ns_;
  int64_t pause_ns_ = kFirstNs;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_CONNECT_POLICY_H_
