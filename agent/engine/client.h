// One client of a round, from its connection to its last response: the whole logic, written once,
// top to bottom, for every engine.
//
//   Client client(round, number, statements, &connection, &gauges, &record);
//   Task<void> task = client.Run();
//   task.Start();
//
// Per statement it takes no lock and allocates nothing (a keyed statement is built in a buffer that
// is kept).
#ifndef DSLAP_AGENT_ENGINE_CLIENT_H_
#define DSLAP_AGENT_ENGINE_CLIENT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "agent/async/task.h"
#include "agent/engine/client_host.h"
#include "agent/engine/client_random.h"
#include "agent/engine/client_record.h"
#include "agent/engine/key_list.h"
#include "agent/engine/kill_requests.h"
#include "agent/engine/load_engine.h"
#include "agent/sql/sql_connection.h"
#include "common/clock.h"
#include "common/histogram.h"

namespace dslap {

// What all clients of a round share; outlives them. They read the keys only after the gate opened.
struct RoundContext {
  RoundSpec spec;
  KeyList keys;
  Clock* clock = nullptr;
  KillRequests* kills = nullptr;   // may be null when nothing is ever given up
  uint64_t set_up_statements = 0;  // see SqlConnectionFactory::SetUpStatements()
};

// Which client of the round, and what it leaves its traces in. All outlive the client.
struct ClientSeat {
  uint64_t number = 0;                  // across all agents
  uint64_t statements = 0;              // its share
  SqlConnection* connection = nullptr;  // connected: kept from the round before
  ClientGauges* gauges = nullptr;
  ClientRecord* record = nullptr;
  ClientHost* host = nullptr;
  LatencyHistogram* latency = nullptr;  // may be shared by clients of the same thread
};

// Not thread-safe: all of it happens on the thread that starts and resumes Run().
class Client {
 public:
  Client(const RoundContext& round, const ClientSeat& seat);

  Task<void> Run();

 private:
  struct ConnectResult {
    bool connected = false;
    SqlError error;  // of the last attempt that failed by itself; ok when none did
    int64_t elapsed_ns = 0;
  };

  Task<bool> Acquire();
  Task<bool> ResetKept();
  Task<SqlError> InitialiseSession();
  Task<ConnectResult> ConnectWithRetry(bool needs_slot);
  Task<void> Work();
  Task<bool> Recover(SqlError error);
  Task<bool> Reconnect();

  SqlConnection::Awaiter Send(std::string_view text);
  void NoteConnected();
  void Close();
  void NoteConnectError(SqlError error);
  [[nodiscard]] bool NoteStatement(const SqlOutcome& outcome, int64_t sent_ns);
  [[nodiscard]] bool NoteCommit(const SqlOutcome& outcome);
  void NoteError(const SqlError& error);
  void NoteTimeout(const SqlError& error);
  bool CommitDue() const;
  bool DetachDue() const;
  bool Continue(const SqlError& error);

  std::string_view NextText();
  bool stopping() const { return host_->stop_stage() != StopStage::kGoOn; }
  bool killed() const { return seat_.gauges->killed.load(std::memory_order_relaxed); }

  const RoundContext& round_;
  const ClientSeat seat_;
  const RoundSpec& spec_;
  ClientHost* const host_;
  ClientRecord& record_;
  SqlConnection& connection_;
  ClientRandom random_;
  size_t next_statement_ = 0;
  uint64_t uncommitted_ = 0;    // statements since the last COMMIT
  uint64_t connection_id_ = 0;  // a connection that was given up has no number any more
  std::string keyed_text_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_CLIENT_H_
