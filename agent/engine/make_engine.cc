#include "agent/engine/make_engine.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "agent/engine/client_engine.h"
#include "agent/engine/loop_carrier.h"
#include "agent/engine/thread_carrier.h"
#include "common/status_util.h"

namespace dslap {
namespace {

// Threads for few clients, event loops for many. A round of the other kind begins with new
// connections.
class ChoosingEngine final : public LoadEngine {
 public:
  ChoosingEngine(std::unique_ptr<LoadEngine> threads, std::unique_ptr<LoadEngine> loops)
      : threads_(std::move(threads)), loops_(std::move(loops)), chosen_(threads_.get()) {}

  PrepareOutcome Prepare(const RoundSpec& spec) override {
    LoadEngine* const chosen = spec.clients() < kLoopsFromClients ? threads_.get() : loops_.get();
    LoadEngine* const before = Chosen();
    if (chosen != before) {
      closed_ = before->Counters().clients_connected;
      before->CloseAll();
      const std::lock_guard<std::mutex> lock(mu_);
      chosen_ = chosen;
    }
    return chosen->Prepare(spec);
  }

  RoundOutcome Run(int64_t open_at_ns, const std::function<void(int64_t)>& on_open) override {
    RoundOutcome outcome = Chosen()->Run(open_at_ns, on_open);
    for (; closed_ > 0; --closed_) outcome.traffic.NoteClose();
    return outcome;
  }
  void Stop(RoundStopCause cause, int64_t grace_ns) override { Chosen()->Stop(cause, grace_ns); }
  void CloseAll() override { Chosen()->CloseAll(); }
  LiveCounters Counters() const override { return Chosen()->Counters(); }
  ConnectionMap Connections() const override { return Chosen()->Connections(); }

 private:
  LoadEngine* Chosen() const {
    const std::lock_guard<std::mutex> lock(mu_);
    return chosen_;
  }

  const std::unique_ptr<LoadEngine> threads_;
  const std::unique_ptr<LoadEngine> loops_;
  mutable std::mutex mu_;  // std::mutex: see round_control.h
  uint64_t closed_ = 0;    // connections, by the last change; the engine's thread's own
  LoadEngine* chosen_;     // guarded by mu_; changed by the engine's thread only
};

size_t LoopsOf(const EngineOptions& options) {
  return options.loops != 0 ? options.loops : std::max(std::thread::hardware_concurrency(), 1U);
}

}  // namespace

absl::StatusOr<std::unique_ptr<LoadEngine>> MakeEngine(
    const EngineOptions& options, std::shared_ptr<SqlConnectionFactory> factory, Clock* clock) {
  std::unique_ptr<LoadEngine> threads;
  if (options.kind != EngineKind::kLoops) {
    threads = std::make_unique<ClientEngine>(
        factory, std::make_unique<ThreadCarrier>(factory, options.connect_parallelism, clock),
        options.connect_interval_ns, clock);
    if (options.kind == EngineKind::kThreads) return threads;
  }
  absl::StatusOr<std::unique_ptr<LoopCarrier>> carrier =
      LoopCarrier::Create(factory, LoopsOf(options), options.connect_parallelism, clock);
  // Without loops there is nothing to choose from.
  if (!carrier.ok() && options.kind == EngineKind::kAuto) return threads;
  if (absl::IsUnimplemented(carrier.status())) {
    return absl::FailedPreconditionError(
        absl::StrCat("--load-engine=epoll: ", carrier.status().message()));
  }
  RETURN_IF_ERROR(carrier.status());
  std::unique_ptr<LoadEngine> loops = std::make_unique<ClientEngine>(
      factory, *std::move(carrier), options.connect_interval_ns, clock);
  if (options.kind == EngineKind::kLoops) return loops;
  return std::make_unique<ChoosingEngine>(std::move(threads), std::move(loops));
}

}  // namespace dslap
