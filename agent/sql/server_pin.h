// Holds all connections of a run to one address of the host: that of the first connection that
// succeeded. Several addresses may be several servers; a KILL for a connection of the one would end
// a stranger's at the other.
//
//   std::optional<size_t> next = pin->First();
//   while (next.has_value()) next = pin->Next(*next, addresses, Attempt(*next));
#ifndef DSLAP_AGENT_SQL_SERVER_PIN_H_
#define DSLAP_AGENT_SQL_SERVER_PIN_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace dslap {

enum class ConnectAttempt { kConnected, kUnreachable, kRefused };

// Addresses go by their place in SqlTarget::addresses. Thread-safe.
class ServerPin {
 public:
  // Where to begin.
  size_t First() const;

  // Where to go on after an attempt at the address `tried`, of so many; nullopt: nowhere, the
  // attempt is what came of it. After one that connected there is somewhere to go on if another
  // connection was the first, elsewhere: the new one is to be closed.
  std::optional<size_t> Next(size_t tried, size_t addresses, ConnectAttempt came);

 private:
  static constexpr size_t kNone = SIZE_MAX;

  std::atomic<size_t> pinned_{kNone};
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SQL_SERVER_PIN_H_
