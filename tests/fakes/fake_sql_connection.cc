#include "tests/fakes/fake_sql_connection.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <utility>

#include "absl/time/time.h"

namespace dslap {
namespace {

constexpr std::string_view kKill = "KILL QUERY ";
constexpr std::chrono::seconds kPatience(20);

bool Breaks(uint32_t code) {
  return code == 2006 || code == 2013 || code == 2055 || code == 1927 || code == kQueryTimeoutCode;
}

}  // namespace

class FakeSqlConnection final : public SqlConnection {
 public:
  explicit FakeSqlConnection(std::shared_ptr<FakeSqlServer> server) : server_(std::move(server)) {}
  ~FakeSqlConnection() override { Close(); }

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
  }

  bool Start(const SqlOperation& operation, std::coroutine_handle<> waiter,
             SqlOutcome* outcome) override {
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
    Obey(server_->on_connect_(attempt), 0, outcome);
    const std::lock_guard<std::mutex> lock(server_->mu_);
    --server_->connecting_;
    if (!outcome->ok()) return;
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
    if (reply.hangs) Hang(reply, outcome);
    if (reply.times_out && timeout_ns != 0) outcome->error = QueryTimeoutError(timeout_ns);
    if (Breaks(outcome->error.code) && connected_) Disconnect();
  }

  void Hang(const FakeReply& reply, SqlOutcome* outcome) {
    std::unique_lock<std::mutex> lock(server_->mu_);
    const uint64_t id = id_.load();
    std::vector<uint64_t>& hanging = server_->hanging_ids_;
    std::vector<uint64_t>& killed = server_->killed_ids_;
    hanging.push_back(id);
    server_->changed_.notify_all();
    const auto was_killed = [&] {
      return !reply.survives_kill && std::find(killed.begin(), killed.end(), id) != killed.end();
    };
    server_->changed_.wait(lock, [&] { return interrupted_ || was_killed(); });
    hanging.erase(std::find(hanging.begin(), hanging.end(), id));
    if (interrupted_) {
      outcome->error = {2013, "HY000", "fake: Lost connection to server during query"};
    } else if (!reply.succeeds_when_killed) {
      outcome->error = {1317, "70100", "fake: Query execution was interrupted"};
    }
    killed.erase(std::remove(killed.begin(), killed.end(), id), killed.end());
  }

  void Disconnect() {
    const std::lock_guard<std::mutex> lock(server_->mu_);
    --server_->open_;
    connected_ = false;
    id_ = 0;
  }

  const std::shared_ptr<FakeSqlServer> server_;
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
  return std::make_unique<FakeSqlConnection>(shared_from_this());
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
  return changed_.wait_for(lock, kPatience, [&] { return hanging_ids_.size() == count; });
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
  if (std::find(hanging_ids_.begin(), hanging_ids_.end(), victim) != hanging_ids_.end()) {
    killed_ids_.push_back(victim);
    changed_.notify_all();
  }
  return {};
}

}  // namespace dslap
