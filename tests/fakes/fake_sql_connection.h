// A database that exists only in the test: what it answers is a function, what it was asked is a
// log, and it can hang until somebody kills the statement or cuts the connection.
//
//   auto server = std::make_shared<FakeSqlServer>();
//   server->set_on_query([](uint64_t, std::string_view text) {
//     return text == "BAD" ? FakeReply{.error = {1064, "42000", "syntax"}} : FakeReply{};
//   });
//   std::unique_ptr<SqlConnection> connection = server->MakeBlocking();
//   ... EXPECT_THAT(server->Log(), ElementsAre("1 CONNECT shop", "1 BAD"));
#ifndef DSLAP_TESTS_FAKES_FAKE_SQL_CONNECTION_H_
#define DSLAP_TESTS_FAKES_FAKE_SQL_CONNECTION_H_

#include <condition_variable>
#include <coroutine>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/sql/sql_connection.h"
#include "tests/fakes/fake_clock.h"

namespace dslap {

struct FakeReply {
  SqlError error = {};
  uint64_t rows = 0;
  std::vector<SqlRow> first_result = {};  // for the sink; counted in addition to `rows`
  int64_t takes_ns = 0;                   // on the server's fake clock
  bool hangs = false;                     // until KILL QUERY (1317) or Interrupt() (2013)
  bool survives_kill = false;             // only Interrupt() ends it
  bool succeeds_when_killed = false;      // as SELECT SLEEP() does on some servers
  bool times_out = false;                 // given up at once, if the operation has a timeout
};

class FakeSqlConnection;

// Thread-safe but for the setters, which come before the first connection. Connections are numbered
// from 1; the number is the connection's id(). Lives in a shared_ptr: connections share it.
class FakeSqlServer final : public SqlConnectionFactory,
                            public std::enable_shared_from_this<FakeSqlServer> {
 public:
  // `clock` passes when a reply takes time.
  explicit FakeSqlServer(FakeClock* clock = nullptr) : clock_(clock) {}

  // `attempt` counts connects from 1.
  void set_on_connect(std::function<FakeReply(uint64_t attempt)> on_connect);
  // Not asked for KILL QUERY, which the server handles itself.
  void set_on_query(std::function<FakeReply(uint64_t connection, std::string_view text)> on_query);
  void set_on_reset(std::function<FakeReply(uint64_t connection)> on_reset);
  void set_on_select_schema(std::function<FakeReply(std::string_view schema)> on_select_schema);
  // Without it nothing is allocated for a statement.
  void set_logging(bool on) { logging_ = on; }
  // How connections go from now on; over TCP, not encrypted, unless set.
  void set_channel(SqlChannel channel) { channel_ = std::move(channel); }
  // Operations suspend their coroutine until CompleteOne().
  void set_suspending(bool on) { suspending_ = on; }

  std::unique_ptr<SqlConnection> MakeBlocking() override;
  // Every operation suspends its coroutine until the loop's next turn, or as long as it hangs.
  std::unique_ptr<SqlConnection> MakeOnLoop(EventLoop* loop) override;

  // "1 CONNECT shop", "1 SELECT 1", "1 RESET", "1 USE shop", "1 CLOSE".
  std::vector<std::string> Log() const;
  // How many lines of the log are about exactly this text, over all connections.
  uint64_t Count(std::string_view text) const;
  uint64_t open_connections() const;
  // The most connects that were under way at the same time.
  uint64_t peak_connecting() const;
  // True as soon as `count` operations hang; waits for them with a generous bound.
  bool AwaitHanging(uint64_t count);

  // Finishes the oldest suspended operation and resumes its coroutine. False when there is none.
  bool CompleteOne();

 private:
  friend class FakeSqlConnection;

  struct Suspended {
    std::function<void()> finish;
    std::coroutine_handle<> waiter;
  };

  void Note(uint64_t connection, std::string_view text);
  SqlOutcome KillQuery(uint64_t victim);

  FakeClock* const clock_;
  std::function<FakeReply(uint64_t)> on_connect_ = [](uint64_t) { return FakeReply{}; };
  std::function<FakeReply(uint64_t, std::string_view)> on_query_ = [](uint64_t, std::string_view) {
    return FakeReply{};
  };
  std::function<FakeReply(uint64_t)> on_reset_ = [](uint64_t) { return FakeReply{}; };
  std::function<FakeReply(std::string_view)> on_select_schema_ = [](std::string_view) {
    return FakeReply{};
  };
  bool logging_ = true;
  bool suspending_ = false;
  SqlChannel channel_;

  mutable std::mutex mu_;  // guards all below; std::mutex: ThreadSanitizer sees it
  std::condition_variable changed_;
  std::vector<std::string> log_;
  uint64_t connects_ = 0;
  uint64_t open_ = 0;
  uint64_t connecting_ = 0;
  uint64_t peak_connecting_ = 0;
  std::map<uint64_t, std::vector<FakeSqlConnection*>> hanging_;  // by id; 0: they connect
  std::set<const FakeSqlConnection*> killed_;
  std::deque<Suspended> suspended_;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_FAKES_FAKE_SQL_CONNECTION_H_
