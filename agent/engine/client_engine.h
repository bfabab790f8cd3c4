// The load engine: takes clients through a round, whatever carries them.
//
//   auto factory = std::make_shared<MySqlConnectionFactory>(target);
//   Clock* clock = SteadyClock::Get();
//   ClientEngine engine(factory, std::make_unique<ThreadCarrier>(factory, 64, clock), 0, clock);
//   PrepareOutcome prepared = engine.Prepare(spec);
//   RoundOutcome outcome = engine.Run(clock->NowNs(), [](int64_t) {});
//
// Connections stay in their seats from round to round. A stop goes through three steps, each
// bounded: the grace; KILL QUERY over a connection of its own; after some seconds more, cutting the
// sockets.
#ifndef DSLAP_AGENT_ENGINE_CLIENT_ENGINE_H_
#define DSLAP_AGENT_ENGINE_CLIENT_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "agent/engine/client.h"
#include "agent/engine/client_carrier.h"
#include "agent/engine/client_record.h"
#include "agent/engine/connection_thread.h"
#include "agent/engine/load_engine.h"
#include "agent/engine/round_control.h"
#include "agent/engine/statement_killer.h"
#include "agent/sql/sql_connection.h"
#include "common/clock.h"

namespace dslap {

// Thread-safety: see LoadEngine. The destructor ends a round that was prepared and closes all
// connections. Waits are real: `clock` must advance with real time.
class ClientEngine final : public LoadEngine {
 public:
  // `factory` makes the engine's own connections, for the keys and for KILL. `clock` outlives the
  // engine.
  ClientEngine(std::shared_ptr<SqlConnectionFactory> factory,
               std::unique_ptr<ClientCarrier> carrier, int64_t connect_interval_ns, Clock* clock);
  ~ClientEngine() override;

  PrepareOutcome Prepare(const RoundSpec& spec) override;
  RoundOutcome Run(int64_t open_at_ns, const std::function<void(int64_t)>& on_open) override;
  void Stop(RoundStopCause cause, int64_t grace_ns) override;
  void CloseAll() override;
  LiveCounters Counters() const override;
  ConnectionMap Connections() const override;

 private:
  // The place of a client in the engine; client number n of any round sits in seat n.
  struct Seat {
    ClientGauges gauges;
    std::unique_ptr<SqlConnection> connection;
  };

  struct Round {
    Round(const RoundSpec& spec, size_t clients, int64_t connect_interval_ns,
          std::shared_ptr<SqlConnectionFactory> factory, ClientCarrier* carrier, Clock* clock);

    ServerTraffic traffic;  // of the engine itself; by its own thread
    StatementKiller killer;
    RoundControl control;
    RoundContext context;
    std::vector<ClientRecord> records;
    std::unique_ptr<CarriedRound> carried;
  };

  void BeginRound(const RoundSpec& spec);
  void StartClients(Round& round);
  PrepareOutcome CollectPrepared(const Round& round) const;
  std::optional<SqlError> ReadKeys(Round& round, bool* connected);
  void KillKeyQuery(Round& round, uint64_t connection_id, ConnectionThread* reader);
  // Threads that kill statements on the server, and what they send; read when they are gone.
  struct Killers {
    std::vector<ServerTraffic> traffic;
    std::deque<ConnectionThread> threads;
  };
  void StopPreparing(Round& round);
  void StopClients(Round& round);
  void StartKillers(Round& round, Killers* killers);
  void EndKillers(Round& round, Killers* killers);
  bool AnyInStatement() const;
  void KillStatements(Round& round, SqlConnection& control, size_t first, size_t step,
                      ServerTraffic* traffic);
  size_t ConnectionsKept() const;
  void CutConnecting();
  void CutEverything();
  RoundOutcome CollectDone(const Round& round, int64_t opened_at_ns) const;
  void EndRound();

  const std::shared_ptr<SqlConnectionFactory> factory_;
  const std::unique_ptr<ClientCarrier> carrier_;  // outlives rounds and seats
  const int64_t connect_interval_ns_;
  Clock* const clock_;

  // Guards the two pointers and the list, not what is in the round or in a seat. The engine's own
  // thread, the only one to change them, reads them without.
  mutable std::mutex mu_;
  std::shared_ptr<Round> round_;
  std::vector<std::unique_ptr<Seat>> seats_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_CLIENT_ENGINE_H_
