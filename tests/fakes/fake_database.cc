#include "tests/fakes/fake_database.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace dslap {

class FakeDatabaseConnection final : public SqlConnection {
 public:
  explicit FakeDatabaseConnection(FakeDatabase* database) : database_(database) {}
  ~FakeDatabaseConnection() override { Close(); }

  void Close() override {
    absl::MutexLock lock(&database_->mu_);
    if (id_ == 0) return;
    Log("close");
    database_->connections_.erase(id_);
    id_ = 0;
  }

  bool connected() const override { return id_ != 0; }
  uint64_t id() const override { return id_; }
  SqlChannel channel() const override { return {}; }

  void Interrupt() override {
    absl::MutexLock lock(&database_->mu_);
    interrupted_ = true;
  }

  bool Start(const SqlOperation& operation, std::coroutine_handle<> /*waiter*/,
             SqlOutcome* outcome) override {
    absl::MutexLock lock(&database_->mu_);
    if (operation.kind == SqlOperation::Kind::kConnect) {
      *outcome = DoConnect();
      return true;
    }
    if (id_ == 0 || !database_->connections_[id_].alive) {
      *outcome = Lose(2006, "server has gone away");
      return true;
    }
    const std::string text(operation.text);
    if (operation.kind == SqlOperation::Kind::kSelectSchema) {
      Log(absl::StrCat("schema ", text));
      if (auto it = database_->failures_.find(absl::StrCat("USE ", text));
          it != database_->failures_.end()) {
        outcome->error = it->second;
      }
    } else {
      Log(absl::StrCat("query ", text));
      const bool gives_up = operation.timeout_ns != 0 && database_->timing_out_.count(text) > 0;
      *outcome = gives_up ? GiveUp(operation.timeout_ns) : DoQuery(text, operation.rows);
    }
    return true;
  }

 private:
  void Log(const std::string& what) {
    database_->log_.push_back(absl::StrCat(id_.load(), " ", what));
  }

  SqlOutcome Lose(uint32_t code, std::string message) {
    database_->connections_.erase(id_);
    id_ = 0;
    return {{code, "HY000", std::move(message)}, 0};
  }

  SqlOutcome GiveUp(int64_t timeout_ns) {
    Lose(0, "");
    return {QueryTimeoutError(timeout_ns), 0};
  }

  SqlOutcome DoConnect() {
    interrupted_ = false;
    if (database_->block_connects_) {
      database_->log_.push_back("connecting");
      database_->mu_.Await(absl::Condition(&interrupted_));
      return {{2013, "HY000", "connecting was cut"}, 0};
    }
    if (!database_->connect_error_.ok()) return {database_->connect_error_, 0};
    id_ = ++database_->last_id_;
    database_->connections_[id_] = {};
    Log("connect");
    return {};
  }

  SqlOutcome DoQuery(const std::string& text, SqlRowSink* rows) {
    absl::string_view victim = text;
    uint64_t victim_id = 0;
    if (absl::ConsumePrefix(&victim, "KILL QUERY ") && absl::SimpleAtoi(victim, &victim_id) &&
        !database_->ignore_kills_) {
      auto it = database_->connections_.find(victim_id);
      if (it != database_->connections_.end()) it->second.killed = true;
    }
    if (database_->blocking_.count(text) > 0) {
      FakeDatabase::ConnectionState& state = database_->connections_[id_];
      auto ended = [&] {
        return state.killed || !state.alive || interrupted_ ||
               database_->blocking_.count(text) == 0;
      };
      database_->mu_.Await(absl::Condition(&ended));
      if (interrupted_ || !state.alive) return Lose(2013, "lost connection during query");
      if (!state.killed) return {};
      state.killed = false;
      return {{1317, "70100", "Query execution was interrupted"}, 0};
    }
    if (auto it = database_->failures_.find(text); it != database_->failures_.end()) {
      return {it->second, 0};
    }
    SqlOutcome outcome;
    for (const SqlRow& row : database_->answers_[text]) {
      ++outcome.rows;
      if (rows != nullptr && !rows->OnRow(row)) rows = nullptr;
    }
    return outcome;
  }

  FakeDatabase* const database_;
  std::atomic<uint64_t> id_ = 0;
  bool interrupted_ = false;
};

class FakeDatabaseFactory final : public SqlConnectionFactory {
 public:
  explicit FakeDatabaseFactory(FakeDatabase* database) : database_(database) {}
  absl::Status Check() override {
    absl::MutexLock lock(&database_->mu_);
    return database_->check_;
  }
  std::unique_ptr<SqlConnection> MakeBlocking() override {
    return std::make_unique<FakeDatabaseConnection>(database_);
  }

 private:
  FakeDatabase* const database_;
};

void FakeDatabase::Answer(const std::string& statement, std::vector<SqlRow> rows) {
  absl::MutexLock lock(&mu_);
  answers_[statement] = std::move(rows);
}

void FakeDatabase::Fail(const std::string& statement, SqlError error) {
  absl::MutexLock lock(&mu_);
  failures_[statement] = std::move(error);
}

void FakeDatabase::Block(const std::string& statement) {
  absl::MutexLock lock(&mu_);
  blocking_.insert(statement);
}

void FakeDatabase::Unblock(const std::string& statement) {
  absl::MutexLock lock(&mu_);
  blocking_.erase(statement);
}

void FakeDatabase::TimeOut(const std::string& statement) {
  absl::MutexLock lock(&mu_);
  timing_out_.insert(statement);
}

void FakeDatabase::FailConnects(SqlError error) {
  absl::MutexLock lock(&mu_);
  connect_error_ = std::move(error);
}

void FakeDatabase::FailCheck(const absl::Status& status) {
  absl::MutexLock lock(&mu_);
  check_ = status;
}

void FakeDatabase::BlockConnects() {
  absl::MutexLock lock(&mu_);
  block_connects_ = true;
}

void FakeDatabase::IgnoreKills() {
  absl::MutexLock lock(&mu_);
  ignore_kills_ = true;
}

void FakeDatabase::DropConnections() {
  absl::MutexLock lock(&mu_);
  for (auto& [id, state] : connections_) state.alive = false;
}

std::vector<std::string> FakeDatabase::log() const {
  absl::MutexLock lock(&mu_);
  return log_;
}

bool FakeDatabase::AwaitLog(const std::string& line) const {
  auto seen = [&] { return std::find(log_.begin(), log_.end(), line) != log_.end(); };
  absl::MutexLock lock(&mu_);
  return mu_.AwaitWithTimeout(absl::Condition(&seen), absl::Seconds(10));
}

int FakeDatabase::open_connections() const {
  absl::MutexLock lock(&mu_);
  return static_cast<int>(connections_.size());
}

std::unique_ptr<SqlConnectionFactory> FakeDatabase::MakeFactory() {
  return std::make_unique<FakeDatabaseFactory>(this);
}

}  // namespace dslap
