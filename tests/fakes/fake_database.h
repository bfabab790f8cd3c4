// A database server for tests of scripts: its connections answer at once, or block until they are
// killed or cut, as the test says.
//
//   FakeDatabase database;
//   database.Answer("SELECT 1", {{"1"}});
//   database.Fail("DROP TABLE t", {1051, "42S02", "Unknown table 't'"});
//   database.Block("SELECT SLEEP(100)");     // until KILL QUERY or Interrupt()
//   auto factory = database.MakeFactory();
#ifndef DSLAP_TESTS_FAKES_FAKE_DATABASE_H_
#define DSLAP_TESTS_FAKES_FAKE_DATABASE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "agent/sql/sql_connection.h"

namespace dslap {

// Thread-safe. Outlives its factories and connections.
class FakeDatabase {
 public:
  void Answer(const std::string& statement, std::vector<SqlRow> rows);
  void Fail(const std::string& statement, SqlError error);
  void Block(const std::string& statement);
  // It is answered after all.
  void Unblock(const std::string& statement);
  // The statement is given up at once, if it has a timeout.
  void TimeOut(const std::string& statement);
  // Every connect fails with this; code 0: works again.
  void FailConnects(SqlError error);
  // What its factories' Check() says.
  void FailCheck(const absl::Status& status);
  // Connects block until Interrupt().
  void BlockConnects();
  // A blocked statement ends only by Interrupt().
  void IgnoreKills();
  // Ends every connection, as a restarted server does; new ones work.
  void DropConnections();

  // "1 connect", "1 schema shop", "1 query SELECT 1", "1 close": connection and what it did.
  std::vector<std::string> log() const;
  // Waits, at most 10 s, for this line.
  bool AwaitLog(const std::string& line) const;
  int open_connections() const;

  std::unique_ptr<SqlConnectionFactory> MakeFactory();

 private:
  friend class FakeDatabaseConnection;
  friend class FakeDatabaseFactory;

  struct ConnectionState {
    bool alive = true;
    bool killed = false;
  };

  mutable absl::Mutex mu_;
  std::map<std::string, std::vector<SqlRow>> answers_;
  std::map<std::string, SqlError> failures_;
  std::set<std::string> blocking_;
  std::set<std::string> timing_out_;
  SqlError connect_error_;
  absl::Status check_;
  bool block_connects_ = false;
  bool ignore_kills_ = false;
  uint64_t last_id_ = 0;
  std::map<uint64_t, ConnectionState> connections_;
  std::vector<std::string> log_;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_FAKES_FAKE_DATABASE_H_
