#include "agent/engine/thread_carrier.h"

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "agent/async/small_stack_thread.h"
#include "agent/engine/thread_host.h"

namespace dslap {
namespace {

class ThreadRound final : public CarriedRound {
 public:
  ThreadRound(RoundControl* control, size_t connect_parallelism, Clock* clock)
      : control_(control), host_(control, connect_parallelism, clock) {}

  void Start(const RoundContext& context, std::vector<ClientSeat> seats) override {
    latencies_.resize(seats.size());
    threads_.reserve(seats.size());
    for (size_t i = 0; i < seats.size(); ++i) {
      seats[i].host = &host_;
      seats[i].latency = &latencies_[i];
      StartOne(context, seats[i]);
    }
  }

  void Wake() override { host_.WakeClients(); }
  void Join() override { threads_.clear(); }
  void MergeLatency(LatencyHistogram* into) const override {
    for (const LatencyHistogram& latency : latencies_) into->Merge(latency);
  }

 private:
  void StartOne(const RoundContext& context, const ClientSeat& seat) {
    absl::StatusOr<SmallStackThread> thread = SmallStackThread::Start([this, &context, seat] {
      Client client(context, seat);
      Task<void> task = client.Run();
      task.Start();
      seat.gauges->done.store(true, std::memory_order_relaxed);
      control_->ClientDone(/*was_at_gate=*/seat.record->ready);
    });
    if (thread.ok()) {
      threads_.push_back(*std::move(thread));
      return;
    }
    seat.record->connect_error = {kOutOfMemory, "HY000", absl::StrCat(thread.status().message())};
    seat.gauges->done.store(true, std::memory_order_relaxed);
    control_->ClientDone(/*was_at_gate=*/false);
  }

  RoundControl* const control_;
  ThreadHost host_;
  std::vector<LatencyHistogram> latencies_;
  std::vector<SmallStackThread> threads_;
};

}  // namespace

std::unique_ptr<SqlConnection> ThreadCarrier::MakeConnection(size_t /*seat*/) {
  return factory_->MakeBlocking();
}

std::unique_ptr<CarriedRound> ThreadCarrier::BeginRound(RoundControl* control) {
  return std::make_unique<ThreadRound>(control, connect_parallelism_, clock_);
}

}  // namespace dslap
