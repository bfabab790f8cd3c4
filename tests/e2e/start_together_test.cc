// How far apart the agents begin: real agents on one machine, and over networks with delay.
#include <sys/prctl.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/agent_process.h"
#include "tests/support/dslap_process.h"
#include "tests/support/net_lab.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

constexpr int kRounds = 10;
constexpr int kRoundsOverNetwork = 5;  // they take longer

// How late this machine wakes a thread that waits for an instant, at its worst since the probe was
// made: what no program can better, and a busy machine is to be forgiven.
class WakeUpProbe {
 public:
  WakeUpProbe() : thread_([this] { Loop(); }) {}
  ~WakeUpProbe() {
    stop_ = true;
    thread_.join();
  }
  WakeUpProbe(const WakeUpProbe&) = delete;
  WakeUpProbe& operator=(const WakeUpProbe&) = delete;

  int64_t worst_ns() const { return worst_ns_; }

 private:
  void Loop() {
    prctl(PR_SET_TIMERSLACK, 1);
    Clock* const clock = SteadyClock::Get();
    while (!stop_) {
      constexpr int64_t kPauseNs = 2'000'000;
      const int64_t due_ns = clock->NowNs() + kPauseNs;
      std::this_thread::sleep_for(std::chrono::nanoseconds(kPauseNs));
      worst_ns_ = std::max<int64_t>(worst_ns_, clock->NowNs() - due_ns);
    }
  }

  std::atomic<bool> stop_ = false;
  std::atomic<int64_t> worst_ns_ = 0;
  std::thread thread_;
};

struct Skew {
  int64_t ns = 0;
  int64_t error_ns = 0;
};

// Of each round of a report in JSON.
std::vector<Skew> Skews(const ProcessResult& result) {
  std::vector<Skew> skews;
  EXPECT_EQ(result.exit_code, 0) << result.err;
  if (result.exit_code != 0) return skews;
  const nlohmann::json report = nlohmann::json::parse(result.out);
  for (const nlohmann::json& round : report["cases"][0]["rounds"]) {
    skews.push_back({round["start_skew_ns"], round["start_skew_error_ns"]});
  }
  return skews;
}

std::string Show(const std::vector<Skew>& skews) {
  return absl::StrJoin(skews, ", ", [](std::string* out, const Skew& skew) {
    absl::StrAppend(out, absl::FormatDuration(absl::Nanoseconds(skew.ns)), " +/- ",
                    absl::FormatDuration(absl::Nanoseconds(skew.error_ns)));
  });
}

TEST(StartTogetherTest, EightAgentsOfOneMachineWithinFiveMilliseconds) {
  const AgentFleet agents = StartAgents(8);
  ASSERT_EQ(agents.size(), 8u);
  const WakeUpProbe probe;
  const std::vector<Skew> skews = Skews(
      RunDslap({AgentsArgument(agents), "--query=do sleep(0.01)", "--concurrency=32",
                absl::StrCat("--iterations=", kRounds), "--number-of-queries=320", "--json"}));
  std::cout << Show(skews)
            << "; the machine itself: " << absl::FormatDuration(absl::Nanoseconds(probe.worst_ns()))
            << "\n";
  EXPECT_EQ(skews.size(), static_cast<size_t>(kRounds));
  for (const Skew& skew : skews) EXPECT_LT(skew.ns, 5'000'000 + probe.worst_ns());
}

// Agents on hosts of their own; the database is reached by its Unix socket from all of them.
class StartOverNetworkTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = NetLab::WhyNot(); !why.empty()) GTEST_SKIP() << why;
    lab_ = std::make_unique<NetLab>();
    control_ = &lab_->AddHost("control");
    Sandbox().MakeSchema("starts");
    Sandbox().Execute("CREATE TABLE starts.t (at DATETIME(6))");
  }
  void TearDown() override {
    if (lab_ != nullptr) Sandbox().Execute("DROP DATABASE starts");
  }

  void AddAgent(const std::string& name, const WireQuality& wire) {
    const NetHost& host = lab_->AddHost(name, wire);
    agents_.push_back(std::make_unique<AgentProcess>(
        std::vector<std::string>{"--insecure", absl::StrCat("--listen=", host.address(), ":7527")},
        host.network_fd()));
    ASSERT_TRUE(agents_.back()->WaitUntilListening());
  }

  // One client on each agent, whose one statement tells the server's time.
  std::vector<Skew> Run() {
    std::vector<std::string> arguments = {AgentsArgument(agents_),
                                          "--insecure",
                                          "--host=localhost",
                                          "--protocol=socket",
                                          absl::StrCat("--socket=", Sandbox().socket()),
                                          "--json",
                                          "--query=insert into starts.t values (sysdate(6))",
                                          absl::StrCat("--concurrency=", agents_.size()),
                                          absl::StrCat("--iterations=", kRoundsOverNetwork)};
    for (const std::string& argument : Sandbox().WithoutPassword()) arguments.push_back(argument);
    SubprocessSpec spec = DslapSpec(arguments);
    spec.network_fd = control_->network_fd();
    return Skews(RunProcess(spec, absl::Seconds(60)));
  }

  // As the server saw it, of the round in the middle: a single statement may be held up.
  int64_t SeenByServerNs() {
    std::vector<int64_t> spreads;
    const auto rows = Sandbox().Rows(
        "SELECT TIMESTAMPDIFF(MICROSECOND, '2020-01-01', at) AS us FROM starts.t ORDER BY us");
    for (size_t i = 0; i + agents_.size() <= rows.size(); i += agents_.size()) {
      int64_t first = 0;
      int64_t last = 0;
      EXPECT_TRUE(absl::SimpleAtoi(rows[i][0], &first));
      EXPECT_TRUE(absl::SimpleAtoi(rows[i + agents_.size() - 1][0], &last));
      spreads.push_back((last - first) * 1000);
    }
    EXPECT_EQ(spreads.size(), static_cast<size_t>(kRoundsOverNetwork));
    std::sort(spreads.begin(), spreads.end());
    return spreads.empty() ? INT64_MAX : spreads[spreads.size() / 2];
  }

  void ExpectTogether(int64_t least_error_ns) {
    const std::vector<Skew> skews = Run();
    const int64_t seen_ns = SeenByServerNs();
    std::cout << Show(skews)
              << "; seen by the server: " << absl::FormatDuration(absl::Nanoseconds(seen_ns))
              << "\n";
    EXPECT_EQ(skews.size(), static_cast<size_t>(kRoundsOverNetwork));
    for (const Skew& skew : skews) {
      EXPECT_LT(skew.ns, 20'000'000);
      EXPECT_GE(skew.error_ns, least_error_ns);
    }
    EXPECT_LT(seen_ns, 20'000'000);
  }

  std::unique_ptr<NetLab> lab_;
  NetHost* control_ = nullptr;
  AgentFleet agents_;
};

// One way: a round trip takes 200 ms. What cannot be known is how it divides into there and back.
TEST_F(StartOverNetworkTest, HundredMillisecondsToOneAgentAndOneToTheOthers) {
  AddAgent("far", {.delay = absl::Milliseconds(100)});
  for (const char* name : {"a", "b", "c"}) AddAgent(name, {.delay = absl::Milliseconds(1)});
  ExpectTogether(100'000'000);
}

TEST_F(StartOverNetworkTest, Jitter) {
  AddAgent("far", {.delay = absl::Milliseconds(40), .jitter = absl::Milliseconds(15)});
  for (const char* name : {"a", "b"}) {
    AddAgent(name, {.delay = absl::Milliseconds(2), .jitter = absl::Milliseconds(1)});
  }
  ExpectTogether(25'000'000);
}

}  // namespace
}  // namespace dslap
