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

// Pauses between the attempts of one client: doubling from 0.1 s to 1.6 s. Pure.
class ConnectBackoff {
 public:
  static constexpr int64_t kPatienceNs = 5'000'000'000;
  // Where the errors of connecting are ignored: a server takes its time to recover from a crash.
  static constexpr int64_t kLongPatienceNs = 60'000'000'000;

  explicit ConnectBackoff(int64_t first_attempt_ns) : first_attempt_ns_(first_attempt_ns) {}

  // Length of the next pause, shortened by up to half by `random` so that a crowd spreads out;
  // nothing when it would end `patience_ns` after the first attempt.
  std::optional<int64_t> Next(int64_t now_ns, uint64_t random, int64_t patience_ns);

 private:
  static constexpr int64_t kFirstNs = 100'000'000;
  static constexpr int64_t kLongestNs = 1'600'000'000;

  int64_t first_attempt_ns_;
  int64_t pause_ns_ = kFirstNs;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_CONNECT_POLICY_H_
