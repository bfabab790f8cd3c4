// The percentiles of the clients' merged histograms against those of all their samples together.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "agent/engine/client.h"
#include "agent/engine/client_random.h"
#include "common/histogram.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_sql_connection.h"

namespace dslap {
namespace {

class OpenHost final : public ClientHost {
 public:
  void ReleaseConnectSlot() override {}
  void ConnectFailed(ConnectVerdict /*verdict*/) override {}
  void StopOnError() override {}
  StopStage stop_stage() const override { return StopStage::kGoOn; }
  bool StartWait(const Wait& /*wait*/, std::coroutine_handle<> /*waiter*/, bool* go_on) override {
    *go_on = true;
    return true;
  }
};

TEST(MergedPercentileTest, EqualsThatOfTheRawSamplesWithinOnePercent) {
  constexpr uint64_t kClients = 20;
  constexpr uint64_t kStatements = 2'000;
  std::vector<int64_t> samples;
  LatencyHistogram merged;
  for (uint64_t client = 0; client < kClients; ++client) {
    FakeClock clock;
    OpenHost host;
    auto server = std::make_shared<FakeSqlServer>(&clock);
    server->set_logging(false);
    ClientRandom random(99, client);
    // From 20 us to 2 s, evenly over the orders of magnitude; each client in a range of its own.
    server->set_on_query([&](uint64_t, std::string_view) {
      const double exponent = static_cast<double>(random.Below(4000) + 50 * client) / 1000.0;
      const auto takes_ns = static_cast<int64_t>(20'000 * std::pow(10.0, exponent));
      samples.push_back(takes_ns);
      return FakeReply{.takes_ns = takes_ns};
    });
    auto list = std::make_shared<StatementList>();
    list->statements = {{"S", false}};
    RoundContext round;
    round.spec.statements = list;
    round.clock = &clock;
    std::unique_ptr<SqlConnection> connection = server->MakeBlocking();
    ClientGauges gauges;
    ClientRecord record;
    LatencyHistogram latency;
    Client runner(round,
                  {client, kStatements, connection.get(), &gauges, &record, &host, &latency});
    Task<void> task = runner.Run();
    task.Start();
    ASSERT_TRUE(task.done());
    merged.Merge(latency);
  }
  ASSERT_EQ(samples.size(), kClients * kStatements);
  ASSERT_EQ(merged.count(), samples.size());
  std::sort(samples.begin(), samples.end());
  for (const double percentile : {1.0, 25.0, 50.0, 90.0, 95.0, 99.0, 99.9, 100.0}) {
    const auto rank =
        static_cast<size_t>(std::ceil(percentile / 100 * static_cast<double>(samples.size())));
    const auto raw = static_cast<double>(samples[rank - 1]);
    EXPECT_NEAR(merged.ValueAtPercentile(percentile), raw, raw * 0.01) << percentile;
  }
}

}  // namespace
}  // namespace dslap
