#include "agent/engine/loop_carrier.h"

#include <algorithm>
#include <cstdint>
#include <deque>

#include "absl/strings/str_cat.h"
#include "agent/async/small_stack_thread.h"
#include "agent/engine/loop_host.h"

namespace dslap {
namespace {

// The clients of one loop in one round.
class LoopShare {
 public:
  LoopShare(RoundControl* control, EventLoop* loop, size_t connect_parallelism)
      : control_(control), loop_(loop), host_(control, loop, connect_parallelism) {}

  void Add(const RoundContext& context, ClientSeat seat) {
    seat.host = &host_;
    seat.latency = &latency_;
    clients_.emplace_back(context, seat);
    clients_.back().task = Carry(&clients_.back());
  }

  // Returns when all are done.
  void Run() {
    for (CarriedClient& client : clients_) loop_->ResumeSoon(client.task.handle());
    loop_->RunUntil([this] { return done_ == clients_.size(); });
  }

  // No client could be started.
  void Fail(const absl::Status& status) {
    for (CarriedClient& client : clients_) {
      client.seat.record->connect_error = {kOutOfMemory, "HY000", absl::StrCat(status.message())};
      Done(client.seat);
    }
  }

  void Wake() { host_.Wake(); }
  const LatencyHistogram& latency() const { return latency_; }
  bool empty() const { return clients_.empty(); }

 private:
  struct CarriedClient {
    CarriedClient(const RoundContext& context, const ClientSeat& carried_seat)
        : seat(carried_seat), client(context, carried_seat) {}

    ClientSeat seat;
    Client client;
    Task<void> task;
  };

  Task<void> Carry(CarriedClient* carried) {
    co_await carried->client.Run();
    Done(carried->seat);
  }

  void Done(const ClientSeat& seat) {
    ++done_;
    seat.gauges->done.store(true, std::memory_order_relaxed);
    control_->ClientDone(/*was_at_gate=*/seat.record->ready);
  }

  RoundControl* const control_;
  EventLoop* const loop_;
  LoopHost host_;
  LatencyHistogram latency_;
  std::deque<CarriedClient> clients_;
  size_t done_ = 0;
};

class LoopRound final : public CarriedRound {
 public:
  LoopRound(RoundControl* control, const std::vector<std::unique_ptr<EventLoop>>& loops,
            size_t connect_parallelism) {
    // There are no more loops than connects at a time.
    for (size_t i = 0; i < loops.size(); ++i) {
      const size_t more = i < connect_parallelism % loops.size() ? 1 : 0;
      shares_.emplace_back(control, loops[i].get(), connect_parallelism / loops.size() + more);
    }
  }
  ~LoopRound() override { threads_.clear(); }

  void Start(const RoundContext& context, std::vector<ClientSeat> seats) override {
    for (size_t i = 0; i < seats.size(); ++i) shares_[i % shares_.size()].Add(context, seats[i]);
    for (LoopShare& share : shares_) {
      if (share.empty()) continue;
      absl::StatusOr<SmallStackThread> thread = SmallStackThread::Start([&share] { share.Run(); });
      if (thread.ok()) {
        threads_.push_back(*std::move(thread));
      } else {
        share.Fail(thread.status());
      }
    }
  }

  void Wake() override {
    for (LoopShare& share : shares_) share.Wake();
  }
  void Join() override { threads_.clear(); }
  void MergeLatency(LatencyHistogram* into) const override {
    for (const LoopShare& share : shares_) into->Merge(share.latency());
  }

 private:
  std::deque<LoopShare> shares_;
  std::vector<SmallStackThread> threads_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<LoopCarrier>> LoopCarrier::Create(
    std::shared_ptr<SqlConnectionFactory> factory, size_t loops, size_t connect_parallelism,
    Clock* clock) {
  std::vector<std::unique_ptr<EventLoop>> made;
  for (size_t i = 0; i < std::min(loops, connect_parallelism); ++i) {
    absl::StatusOr<std::unique_ptr<EventLoop>> loop = EventLoop::Create(clock);
    if (!loop.ok()) return loop.status();
    made.push_back(*std::move(loop));
  }
  if (factory->MakeOnLoop(made.front().get()) == nullptr) {
    return absl::UnimplementedError(
        "the database's client library of this build cannot wait for many connections at once");
  }
  return std::unique_ptr<LoopCarrier>(
      new LoopCarrier(std::move(factory), std::move(made), connect_parallelism));
}

std::unique_ptr<SqlConnection> LoopCarrier::MakeConnection(size_t seat) {
  return factory_->MakeOnLoop(loops_[seat % loops_.size()].get());
}

std::unique_ptr<CarriedRound> LoopCarrier::BeginRound(RoundControl* control) {
  return std::make_unique<LoopRound>(control, loops_, connect_parallelism_);
}

}  // namespace dslap
