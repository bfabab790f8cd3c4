// The load engine with a thread for each client: the cheapest for few clients, and good for a few
// thousand.
//
//   ThreadEngine engine(std::make_shared<MySqlConnectionFactory>(target), SteadyClock::Get());
//   PrepareOutcome prepared = engine.Prepare(spec);
//   RoundOutcome outcome = engine.Run(SteadyClock::Get()->NowNs(), [](int64_t) {});
//
// Threads live for one round; connections stay in their seats from round to round. A stop goes
// through three steps, each bounded: the grace; KILL QUERY over a connection of its own; after 2 s
// more, cutting the sockets.
#ifndef DSLAP_AGENT_ENGINE_THREAD_ENGINE_H_
#define DSLAP_AGENT_ENGINE_THREAD_ENGINE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "agent/engine/client.h"
#include "agent/engine/client_record.h"
#include "agent/engine/load_engine.h"
#include "agent/engine/small_stack_thread.h"
#include "agent/engine/statement_killer.h"
#include "agent/engine/thread_host.h"
#include "agent/sql/sql_connection.h"
#include "common/clock.h"

namespace dslap {

// Thread-safety: see LoadEngine. The destructor ends a round that was prepared and closes all
// connections. Waits are real: `clock` must advance with real time.
class ThreadEngine final : public LoadEngine {
 public:
  static constexpr size_t kConnectParallelism = 64;

  // `clock` outlives the engine.
  ThreadEngine(std::shared_ptr<SqlConnectionFactory> factory, Clock* clock);
  ~ThreadEngine() override;

  PrepareOutcome Prepare(const RoundSpec& spec) override;
  RoundOutcome Run(int64_t open_at_ns, const std::function<void(int64_t)>& on_open) override;
  void Stop(RoundStopCause cause, int64_t grace_ns) override;
  void CloseAll() override;
  LiveCounters Counters() const override;

 private:
  // The place of a client in the engine; client number n of any round sits in seat n.
  struct Seat {
    ClientGauges gauges;
    std::unique_ptr<SqlConnection> connection;
    std::atomic<bool> done{false};  // no client sits here now
  };

  struct Round {
    Round(const RoundSpec& spec, size_t clients, std::shared_ptr<SqlConnectionFactory> factory,
          Clock* clock);

    StatementKiller killer;
    ThreadHost host;
    RoundContext context;
    std::vector<ClientRecord> records;
    std::vector<SmallStackThread> threads;
  };

  void BeginRound(const RoundSpec& spec);
  void StartClients(Round& round);
  void StartClient(Round& round, size_t index, uint64_t statements);
  PrepareOutcome CollectPrepared(const Round& round) const;
  std::optional<SqlError> ReadKeys(Round& round, bool* connected);
  void StopClients(Round& round);
  void KillStatements(Round& round, SqlConnection& control);
  void CutConnecting();
  void CutEverything();
  RoundOutcome CollectDone(const Round& round, int64_t opened_at_ns) const;
  void EndRound();

  const std::shared_ptr<SqlConnectionFactory> factory_;
  Clock* const clock_;

  // Guards the two pointers and the list, not what is in the round or in a seat. The engine's own
  // thread, the only one to change them, reads them without.
  mutable std::mutex mu_;
  std::shared_ptr<Round> round_;
  std::vector<std::unique_ptr<Seat>> seats_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_THREAD_ENGINE_H_
