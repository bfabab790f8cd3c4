// Any messages in any order, valid or not, with time passing, the stream breaking or the agent
// shutting down at any point: the session ends exactly once, uses its sink no more after that, and
// leaves no connection open and no claim of the agent behind.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "agent/session/session.h"
#include "common/log.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_database.h"
#include "tests/fakes/fake_load_engine.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/message_stream.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace dslap {
namespace {

class CheckingSink final : public ResponseSink {
 public:
  void Send(v1::RunResponse response) override {
    absl::MutexLock lock(&mu_);
    DSLAP_FUZZ_CHECK(!finished_);
    DSLAP_FUZZ_CHECK(response.message_case() != v1::RunResponse::MESSAGE_NOT_SET);
    using Case = v1::RunResponse;
    const auto kind = response.message_case();
    if (kind != Case::kProgress && kind != Case::kHeartbeatAck) ++answers_;
  }
  void Finish(const absl::Status& /*status*/) override {
    absl::MutexLock lock(&mu_);
    DSLAP_FUZZ_CHECK(!finished_);
    finished_ = true;
  }

  int answers() const {
    absl::MutexLock lock(&mu_);
    return answers_;
  }
  bool finished() const {
    absl::MutexLock lock(&mu_);
    return finished_;
  }
  // Waits until more than `answers` came, the run is over, or, when the message asked for nothing,
  // a moment.
  void AwaitMoreThan(int answers) const {
    auto ready = [this, answers] { return finished_ || answers_ > answers; };
    absl::MutexLock lock(&mu_);
    mu_.AwaitWithTimeout(absl::Condition(&ready), absl::Milliseconds(1));
  }

 private:
  mutable absl::Mutex mu_;
  int answers_ = 0;
  bool finished_ = false;
};

// Serves one run at a time.
class CountingHost final : public SessionHost {
 public:
  absl::Status Claim(const std::string& /*run_id*/, const std::string& /*controller*/) override {
    absl::MutexLock lock(&mu_);
    DSLAP_FUZZ_CHECK(!held_ && !was_held_);
    held_ = was_held_ = true;
    return absl::OkStatus();
  }
  void AnnounceEnd() override {
    absl::MutexLock lock(&mu_);
    DSLAP_FUZZ_CHECK(held_);
  }
  void TurnedAway(const std::string& line) override { DSLAP_FUZZ_CHECK(!line.empty()); }
  void Release() override {
    absl::MutexLock lock(&mu_);
    DSLAP_FUZZ_CHECK(held_);
    held_ = false;
  }
  bool held() const {
    absl::MutexLock lock(&mu_);
    return held_;
  }

 private:
  mutable absl::Mutex mu_;
  bool held_ = false;
  bool was_held_ = false;
};

class OneRun {
 public:
  OneRun() {
    SetLogLevel(LogLevel::kOff);
    SessionEnvironment environment;
    environment.clock = &clock_;
    environment.hostname = "load-1";
    environment.cores = 8;
    environment.make_connections = [this](const SqlTarget& /*target*/) {
      return database_.MakeFactory();
    };
    environment.make_engine = [this](
                                  const EngineOptions& /*options*/,
                                  const std::shared_ptr<SqlConnectionFactory>& /*factory*/,
                                  Clock* /*clock*/) -> absl::StatusOr<std::unique_ptr<LoadEngine>> {
      return std::make_unique<FakeLoadEngine>(&engine_, &clock_);
    };
    environment.read_cpu = [] { return CpuUse{1000, 3000, 8}; };
    session_.emplace(environment, &host_, &sink_);
  }

  void Take(const MessageStep& step) {
    const int answers = sink_.answers();
    v1::RunRequest request;
    const bool sent = request.ParseFromString(step.message);
    if (sent) session_->Receive(std::move(request));
    // Half of the steps leave the session to its thread: what follows crosses with the answer.
    if (sent && (step.what & 1) == 0) sink_.AwaitMoreThan(answers);
    Disturb(step.what >> 1);
  }

  void End() {
    session_.reset();
    DSLAP_FUZZ_CHECK(sink_.finished());
    DSLAP_FUZZ_CHECK(!host_.held());
    DSLAP_FUZZ_CHECK(database_.open_connections() == 0);
  }

 private:
  void Disturb(int how) {
    switch (how % 32) {
      case 1:
        clock_.Advance(absl::Milliseconds(400));
        session_->Tick();
        break;
      case 2:
        clock_.Advance(absl::Seconds(11));  // beyond the usual lease
        session_->Tick();
        break;
      case 3:
        session_->ReceiveEnd();
        break;
      case 4:
        session_->Abort(absl::UnavailableError("shutting down"));
        break;
      case 5:
        database_.DropConnections();
        break;
      default:
        break;
    }
  }

  FakeClock clock_;
  FakeDatabase database_;
  FakeLoadEngineControl engine_;
  CountingHost host_;
  CheckingSink sink_;
  std::optional<Session> session_;
};

void MutateInPlace(std::string* bytes) {
  const size_t size = bytes->size();
  bytes->resize(size + 64);
  bytes->resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(bytes->data()), size, bytes->size()));
}

}  // namespace
}  // namespace dslap

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
  std::mt19937 random(seed);
  std::vector<dslap::MessageStep> steps = dslap::ParseSteps(data, size);
  dslap::MutateSteps(&random, &dslap::MutateInPlace, &steps);
  std::string bytes = dslap::SerializeSteps(steps);
  while (bytes.size() > max_size) {
    steps.pop_back();
    bytes = dslap::SerializeSteps(steps);
  }
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  dslap::OneRun run;
  for (const dslap::MessageStep& step : dslap::ParseSteps(data, size)) run.Take(step);
  run.End();
  return 0;
}
