// What a real agent tells Prometheus during and after runs of the real dslap, fetched over HTTP.
#include <csignal>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/e2e/e2e_checks.h"
#include "tests/support/agent_process.h"
#include "tests/support/dslap_process.h"
#include "tests/support/raw_socket.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

class MetricsE2eTest : public testing::Test {
 protected:
  MetricsE2eTest() : agent_({"--metrics=127.0.0.1:0"}) {}
  void SetUp() override {
    ASSERT_TRUE(agent_.WaitUntilListening());
    const std::string log = agent_.process().err();
    const size_t from = log.find("http://");
    ASSERT_NE(from, std::string::npos) << log;
    url_ = log.substr(from, log.find('\n', from) - from);
  }

  // Of a line "name value"; -1 and a failed test when there is none.
  double Metric(const std::string& name) const {
    const std::string page = HttpGet(url_);
    for (const std::string& line : Lines(page)) {
      absl::string_view value = line;
      double number = 0;
      if (!absl::ConsumePrefix(&value, name + " ")) continue;
      if (absl::SimpleAtod(value, &number)) return number;
    }
    ADD_FAILURE() << "no " << name << " in\n" << page;
    return -1;
  }

  bool AwaitMetric(const std::string& name, double at_least) const {
    const absl::Time until = absl::Now() + kFewSeconds;
    while (Metric(name) < at_least) {
      if (absl::Now() > until) return false;
    }
    return true;
  }

  std::string AgentsArgument() const { return absl::StrCat("--agents=", agent_.address()); }

  AgentProcess agent_;
  std::string url_;
};

constexpr char kSucceeded[] = "dslap_agent_statements_total{outcome=\"succeeded\"}";
constexpr char kFailed[] = "dslap_agent_statements_total{outcome=\"failed\"}";
constexpr char kCount[] = "dslap_agent_statement_duration_seconds_count";

TEST_F(MetricsE2eTest, CountsAreThoseOfTheReport) {
  EXPECT_EQ(Metric("dslap_agent_runs_total{end=\"closed\"}"), 0);
  const ScratchSchema schema("e2e_metrics", {"t (id INT PRIMARY KEY)"});
  // Of two clients with the same keys, one gets an error for each.
  const ProcessResult result = RunDslap(
      {AgentsArgument(), "--query=insert into e2e_metrics.t values (1); select 1; select 2",
       "--delimiter=;", "--concurrency=2", "--iterations=3", "--ignore-errors=1062", "--json=-"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json report = nlohmann::json::parse(result.out);
  const double succeeded = report["cases"][0]["statements_succeeded"];
  const double failed = report["cases"][0]["statements_failed"];
  EXPECT_EQ(succeeded + failed, 18);
  EXPECT_EQ(failed, 5);
  EXPECT_EQ(Metric(kSucceeded), succeeded);
  EXPECT_EQ(Metric(kFailed), failed);
  EXPECT_EQ(Metric("dslap_agent_errors_total{class=\"constraint\"}"), failed);
  EXPECT_EQ(Metric(kCount), succeeded);
  EXPECT_EQ(Metric("dslap_agent_statement_duration_seconds_bucket{le=\"+Inf\"}"), succeeded);
  EXPECT_NEAR(Metric("dslap_agent_statement_duration_seconds_sum") / succeeded * 1e9,
              report["cases"][0]["latency"]["mean_ns"].get<double>(), 1e3);
  EXPECT_EQ(Metric("dslap_agent_rounds_total"), 3);
  EXPECT_EQ(Metric("dslap_agent_runs_total{end=\"closed\"}"), 1);
  EXPECT_EQ(Metric("dslap_agent_busy"), 0);
  EXPECT_EQ(Metric("dslap_agent_clients"), 0);
  EXPECT_EQ(Metric("dslap_agent_clients_connected"), 0);
}

TEST_F(MetricsE2eTest, RunIsSeenWhileItGoesOn) {
  std::vector<std::string> arguments = EndlessLoad();
  arguments.insert(arguments.begin(), AgentsArgument());
  Subprocess dslap(DslapSpec(arguments));
  ASSERT_TRUE(AwaitMetric(kSucceeded, 1));
  EXPECT_EQ(Metric("dslap_agent_busy"), 1);
  EXPECT_EQ(Metric("dslap_agent_clients"), 4);
  EXPECT_EQ(Metric("dslap_agent_clients_connected"), 4);
  EXPECT_GE(Metric("dslap_agent_connections"), 1);
  EXPECT_GE(Metric("process_open_fds"), 10);
  EXPECT_GE(Metric("process_resident_memory_bytes"), 1e6);
  const double before = Metric(kSucceeded);
  ASSERT_TRUE(AwaitMetric(kSucceeded, before + 1)) << "it is counted each second";
  EXPECT_EQ(Metric(kCount), 0) << "of rounds that have ended";
  dslap.Signal(SIGINT);
  EXPECT_EQ(WaitForEnd(dslap).exit_code, 130);
  EXPECT_EQ(Metric(kCount), Metric(kSucceeded));
  EXPECT_EQ(Metric("dslap_agent_busy"), 0);
}

TEST_F(MetricsE2eTest, NothingElseIsServed) {
  EXPECT_THAT(HttpGet(url_ + "/../../etc/passwd"), StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(HttpGet(url_.substr(0, url_.rfind('/')) + "/"), StartsWith("HTTP/1.1 404 "));
}

TEST(MetricsOptionTest, OnlyLoopbackIsServed) {
  AgentProcess agent({"--metrics=0.0.0.0:0"});
  ASSERT_TRUE(agent.process().WaitForExit(kFewSeconds));
  EXPECT_EQ(agent.process().exit_code(), 2);
  EXPECT_EQ(
      agent.process().err(),
      "dslap-agent: --metrics: 0.0.0.0:0 can be reached by other hosts, and metrics are plain "
      "HTTP for whoever asks: give an address of loopback (127.0.0.1:9527), and have a proxy "
      "of this host serve others\n");
}

TEST(MetricsOptionTest, PortInUseIsNamed) {
  AgentProcess first;
  ASSERT_TRUE(first.WaitUntilListening());
  AgentProcess agent({absl::StrCat("--metrics=", first.address())});
  ASSERT_TRUE(agent.process().WaitForExit(kFewSeconds));
  EXPECT_EQ(agent.process().exit_code(), 1);
  EXPECT_THAT(agent.process().err(),
              HasSubstr(absl::StrCat("dslap-agent: --metrics: listen on ", first.address(),
                                     ": Address already in use\n")));
}

}  // namespace
}  // namespace dslap
