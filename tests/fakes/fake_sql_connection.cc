#include "tests/fakes/fake_sql_connection.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

#include "absl/time/time.h"
#include "agent/async/event_loop.h"

namespace dslap {
namespace {

constexpr std::string_view kKill = "KILL QUERY ";
constexpr std::chrono::seconds kPatience(20);

bool Breaks(uint32_t code) {
  return code == 2006 || code == 2013 || code == 2055 || code == 1927 || code == kQueryTimeoutCode;
}

}  // namespace

class FakeSqlConnection final : public SqlConnection, private EventLoop::Handler {
 public:
  // With a loop, every operation suspends and hangs there; without, it blocks.
  FakeSqlConnection(std::shared_ptr<FakeSqlServer> server, EventLoop* loop)
      : server_(std::move(server)), loop_(loop) {}
  ~FakeSqlConnection() override {
    Close();
    if (loop_ != nullptr) loop_->Forget(this);
  }

  void Close() override {
    if (!connected_) return;
    server_->Note(id_.load(), "CLOSE");
    Disconnect();
  }
  bool connected() const override { return connected_; }
  uint64_t id() const override { return id_.load(); }
  SqlChannel channel() const override { return server_->channel_; }

  void Interrupt() override {
    const std::lock_guard<std::mutex> lock(server_->mu_);
    interrupted_ = true;
    server_->changed_.notify_all();
    if (loop_ != nullptr) loop_->Notify(this);
  }

  // Of the server, which has killed what hangs here.
  void NoticeKill() {
    if (loop_ != nullptr) loop_->Notify(this);
  }

  bool Start(const SqlOperation& operation, std::coroutine_handle<> waiter,
             SqlOutcome* outcome) override {
    if (loop_ != nullptr) {
      Carry(operation, outcome);
      if (hanging_.has_value()) {
        hanging_->waiter = waiter;
      } else {
        loop_->ResumeSoon(waiter);
      }
      return false;
    }
    if (!server_->suspending_) {
      Carry(operation, outcome);
      return true;
    }
    const std::lock_guard<std::mutex> lock(server_->mu_);
    server_->suspended_.push_back(
        {[this, &operation, outcome] { Carry(operation, outcome); }, waiter});
    return false;
  }

 private:
  void Carry(const SqlOperation& operation, SqlOutcome* outcome) {
    if (operation.kind == SqlOperation::Kind::kConnect) return Connect(operation.text, outcome);
    if (!connected_) {
      outcome->error = {2006, "HY000", "fake: not connected"};
      return;
    }
    switch (operation.kind) {
      case SqlOperation::Kind::kConnect:
        break;
      case SqlOperation::Kind::kQuery:
        Query(operation, outcome);
        break;
      case SqlOperation::Kind::kResetSession:
        server_->Note(id_.load(), "RESET");
        Obey(server_->on_reset_(id_.load()), operation.timeout_ns, outcome);
        break;
      case SqlOperation::Kind::kSelectSchema:
        if (server_->logging_) server_->Note(id_.load(), "USE " + std::string(operation.text));
        Obey(server_->on_select_schema_(operation.text), operation.timeout_ns, outcome);
        break;
    }
  }

  void Connect(std::string_view schema, SqlOutcome* outcome) {
    Close();
    uint64_t attempt = 0;
    {
      const std::lock_guard<std::mutex> lock(server_->mu_);
      interrupted_ = false;
      attempt = ++server_->connects_;
      server_->peak_connecting_ = std::max(server_->peak_connecting_, ++server_->connecting_);
    }
    server_->Note(attempt, schema.empty() ? "CONNECT" : "CONNECT " + std::string(schema));
    attempt_ = attempt;
    Obey(server_->on_connect_(attempt), 0, outcome);
  }

  void EndConnect(const SqlOutcome& outcome) {
    const std::lock_guard<std::mutex> lock(server_->mu_);
    --server_->connecting_;
    const uint64_t attempt = std::exchange(attempt_, 0);
    if (!outcome.ok()) return;
    ++server_->open_;
    connected_ = true;
    id_ = attempt;
  }

  void Query(const SqlOperation& operation, SqlOutcome* outcome) {
    if (server_->logging_) server_->Note(id_.load(), operation.text);
    if (operation.text.substr(0, kKill.size()) == kKill) {
      const std::string_view digits = operation.text.substr(kKill.size());
      uint64_t victim = 0;
      std::from_chars(digits.data(), digits.data() + digits.size(), victim);
      *outcome = server_->KillQuery(victim);
      return;
    }
    FakeReply reply = server_->on_query_(id_.load(), operation.text);
    std::vector<SqlRow> rows = std::move(reply.first_result);
    Obey(reply, operation.timeout_ns, outcome);
    outcome->rows += rows.size();
    for (SqlRow& row : rows) {
      if (operation.rows == nullptr || !operation.rows->OnRow(std::move(row))) break;
    }
  }

  void Obey(const FakeReply& reply, int64_t timeout_ns, SqlOutcome* outcome) {
    if (server_->clock_ != nullptr) server_->clock_->Advance(absl::Nanoseconds(reply.takes_ns));
    outcome->error = reply.error;
    outcome->rows = reply.rows;
    if (reply.times_out && timeout_ns != 0) outcome->error = QueryTimeoutError(timeout_ns);
    if (!reply.hangs) return End(outcome);
    Hang(reply, outcome);
  }

  void End(SqlOutcome* outcome) {
    if (attempt_ != 0) return EndConnect(*outcome);
    if (Breaks(outcome->error.code) && connected_) Disconnect();
  }

  void Hang(const FakeReply& reply, SqlOutcome* outcome) {
    {
      std::unique_lock<std::mutex> lock(server_->mu_);
      hanging_.emplace(Hanging{reply, outcome, nullptr});
      server_->hanging_[id_.load()].push_back(this);
      server_->changed_.notify_all();
      if (loop_ != nullptr) return;
      server_->changed_.wait(lock, [&] { return HangIsOver(); });
    }
    EndHang();
  }

  // server_->mu_ held.
  bool HangIsOver() const {
    return interrupted_ || (!hanging_->reply.survives_kill && server_->killed_.count(this) != 0);
  }

  void EndHang() {
    SqlOutcome* const outcome = hanging_->outcome;
    {
      const std::lock_guard<std::mutex> lock(server_->mu_);
      std::vector<FakeSqlConnection*>& hanging = server_->hanging_[id_.load()];
      hanging.erase(std::find(hanging.begin(), hanging.end(), this));
      if (interrupted_) {
        outcome->error = {2013, "HY000", "fake: Lost connection to server during query"};
      } else if (!hanging_->reply.succeeds_when_killed) {
        outcome->error = {1317, "70100", "fake: Query execution was interrupted"};
      }
      server_->killed_.erase(this);
    }
    hanging_.reset();
    End(outcome);
  }

  void OnNotify() override {
    if (!hanging_.has_value()) return;
    {
      const std::lock_guard<std::mutex> lock(server_->mu_);
      if (!HangIsOver()) return;
    }
    const std::coroutine_handle<> waiter = hanging_->waiter;
    EndHang();
    loop_->ResumeSoon(waiter);
  }

  void Disconnect() {
    const std::lock_guard<std::mutex> lock(server_->mu_);
    --server_->open_;
    connected_ = false;
    id_ = 0;
  }

  struct Hanging {
    FakeReply reply;
    SqlOutcome* outcome;
    std::coroutine_handle<> waiter;  // with a loop
  };

  const std::shared_ptr<FakeSqlServer> server_;
  EventLoop* const loop_;
  uint64_t attempt_ = 0;  // of the connect under way; 0: none
  std::optional<Hanging> hanging_;
  bool connected_ = false;
  bool interrupted_ = false;  // guarded by server_->mu_
  std::atomic<uint64_t> id_{0};
};

void FakeSqlServer::set_on_connect(std::function<FakeReply(uint64_t)> on_connect) {
  on_connect_ = std::move(on_connect);
}

void FakeSqlServer::set_on_query(std::function<FakeReply(uint64_t, std::string_view)> on_query) {
  on_query_ = std::move(on_query);
}

void FakeSqlServer::set_on_reset(std::function<FakeReply(uint64_t)> on_reset) {
  on_reset_ = std::move(on_reset);
}

void FakeSqlServer::set_on_select_schema(
    std::function<FakeReply(std::string_view)> on_select_schema) {
  on_select_schema_ = std::move(on_select_schema);
}

std::unique_ptr<SqlConnection> FakeSqlServer::MakeBlocking() {
  return std::make_unique<FakeSqlConnection>(shared_from_this(), nullptr);
}

std::unique_ptr<SqlConnection> FakeSqlServer::MakeOnLoop(EventLoop* loop) {
  return std::make_unique<FakeSqlConnection>(shared_from_this(), loop);
}

std::vector<std::string> FakeSqlServer::Log() const {
  const std::lock_guard<std::mutex> lock(mu_);
  return log_;
}

uint64_t FakeSqlServer::Count(std::string_view text) const {
  const std::lock_guard<std::mutex> lock(mu_);
  return static_cast<uint64_t>(std::count_if(log_.begin(), log_.end(), [&](std::string_view line) {
    return line.substr(line.find(' ') + 1) == text;
  }));
}

uint64_t FakeSqlServer::open_connections() const {
  const std::lock_guard<std::mutex> lock(mu_);
  return open_;
}

uint64_t FakeSqlServer::peak_connecting() const {
  const std::lock_guard<std::mutex> lock(mu_);
  return peak_connecting_;
}

bool FakeSqlServer::AwaitHanging(uint64_t count) {
  std::unique_lock<std::mutex> lock(mu_);
  return changed_.wait_for(lock, kPatience, [&] {
    uint64_t hanging = 0;
    for (const auto& [id, connections] : hanging_) hanging += connections.size();
    return hanging == count;
  });
}

bool FakeSqlServer::CompleteOne() {
  Suspended oldest;
  {
    const std::lock_guard<std::mutex> lock(mu_);
    if (suspended_.empty()) return false;
    oldest = std::move(suspended_.front());
    suspended_.pop_front();
  }
  oldest.finish();
  oldest.waiter.resume();
  return true;
}

void FakeSqlServer::Note(uint64_t connection, std::string_view text) {
  if (!logging_) return;
  const std::lock_guard<std::mutex> lock(mu_);
  log_.push_back(std::to_string(connection) + " " + std::string(text));
}

SqlOutcome FakeSqlServer::KillQuery(uint64_t victim) {
  const std::lock_guard<std::mutex> lock(mu_);
  // As on a real server, a KILL that finds no statement has no effect on a later one.
  for (FakeSqlConnection* connection : hanging_[victim]) {
    killed_.insert(connection);
    connection->NoticeKill();
  }
  changed_.notify_all();
  return {};
}

}  // namespace dslap
