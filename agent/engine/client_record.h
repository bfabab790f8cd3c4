// What a client leaves behind: gauges that others read while it runs, and a record that is read
// when it is done.
#ifndef DSLAP_AGENT_ENGINE_CLIENT_RECORD_H_
#define DSLAP_AGENT_ENGINE_CLIENT_RECORD_H_

#include <atomic>
#include <cstdint>
#include <optional>

#include "agent/engine/server_traffic.h"
#include "agent/sql/sql_channel.h"
#include "common/error_tally.h"

namespace dslap {

// A counter with one writer and any number of readers: no locked instruction.
class SingleWriterCounter {
 public:
  void Increment() { value_.store(value() + 1, std::memory_order_relaxed); }
  void Reset() { value_.store(0, std::memory_order_relaxed); }
  uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

// Written by the client (`killed` by the engine), read by any thread. On a cache line of its own.
struct alignas(64) ClientGauges {
  SingleWriterCounter succeeded;
  SingleWriterCounter errors;
  std::atomic<bool> connected{false};
  std::atomic<bool> in_statement{false};
  // Set before the engine kills the client's statement or cuts its connection.
  std::atomic<bool> killed{false};
  std::atomic<bool> done{false};  // no client sits here now
  // The connection as the server knows it: id << 16 | port on this side; 0: none. Kept from round
  // to round.
  std::atomic<uint64_t> server_connection{0};

  void BeginRound() {
    succeeded.Reset();
    errors.Reset();
    killed.store(false, std::memory_order_relaxed);
    connected.store(false, std::memory_order_relaxed);
    in_statement.store(false, std::memory_order_relaxed);
    done.store(false, std::memory_order_relaxed);
  }
};

// Fields up to `channel` are final when the client is at the gate or done; the rest when it
// is done. No lock: the host's hand-over orders the accesses.
struct ClientRecord {
  bool ready = false;                     // connected, session initialised
  std::optional<int64_t> connect_ns;      // absent when no new connection was made
  std::optional<SqlError> connect_error;  // absent when ready or not tried
  SqlChannel channel;                     // when ready

  uint64_t executed = 0;  // statements that were answered, with rows or an error
  uint64_t succeeded = 0;
  uint64_t failed = 0;
  uint64_t interrupted = 0;
  bool finished = false;  // the whole share
  uint64_t reconnects = 0;
  uint64_t reconnects_failed = 0;
  uint64_t session_errors = 0;
  int64_t last_response_ns = 0;
  ServerTraffic traffic;
  ErrorTally errors;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_CLIENT_RECORD_H_
