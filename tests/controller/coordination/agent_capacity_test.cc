#include "controller/coordination/agent_capacity.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace dslap {
namespace {

struct Row {
  std::string what;
  std::string agent;
  std::vector<uint64_t> shares;
  LoadEngineKind engine;
  bool over_tcp;
  bool over_tls;
  uint64_t files;
  uint64_t free_threads;
  uint64_t ports;
  std::string expected;  // empty: it can
};

v1::GetInfoResponse Info(const Row& row) {
  v1::GetInfoResponse info;
  info.set_cores(2);
  info.set_open_files(12);
  info.set_max_open_files(row.files);
  info.set_free_threads(row.free_threads);
  info.set_threads_limit("pids.max");
  info.set_local_ports(row.ports);
  info.set_loops_from_clients(16);
  return info;
}

constexpr auto kAuto = LoadEngineKind::kAuto;
constexpr auto kThreads = LoadEngineKind::kThreads;
constexpr auto kLoops = LoadEngineKind::kEventLoops;
constexpr uint64_t kMany = 1'000'000;

const std::vector<Row>& Rows() {
  static const auto* const kRows = new std::vector<Row>{
      {"all fits", "db-a:7527", {4000}, kAuto, true, true, kMany, kMany, kMany, ""},
      {"no clients need nothing", "a", {0}, kThreads, true, true, 1, 0, 1, ""},
      {"one descriptor is missing",
       "db-a:7527",
       {4000},
       kAuto,
       true,
       false,
       4041,
       kMany,
       kMany,
       "agent db-a:7527: needs 4042 descriptors for 4000 clients, has 4041: raise LimitNOFILE= of "
       "its unit (or `ulimit -n`)"},
      {"descriptors just suffice", "a", {4000}, kAuto, true, false, 4042, kMany, kMany, ""},
      {"the largest case counts",
       "a",
       {10, 300, 20},
       kLoops,
       false,
       false,
       256,
       0,
       0,
       "agent a: needs 342 descriptors for 300 clients, has 256: raise LimitNOFILE= of its unit "
       "(or `ulimit -n`)"},
      {"under TLS a thread's client needs two",
       "a",
       {100},
       kThreads,
       true,
       true,
       200,
       kMany,
       kMany,
       "agent a: needs 230 descriptors for 100 clients, has 200: raise LimitNOFILE= of its unit "
       "(or `ulimit -n`)"},
      {"this process is no agent",
       "in-process",
       {1},
       kThreads,
       false,
       false,
       30,
       kMany,
       0,
       "this process needs 31 descriptors for 1 client, has 30: raise `ulimit -n`"},
      {"threads",
       "a",
       {1000},
       kThreads,
       true,
       false,
       kMany,
       1019,
       kMany,
       "agent a: needs 1020 threads for 1000 clients, can start 1019 more (pids.max): raise "
       "TasksMax= of its unit, or use --load-engine=epoll"},
      {"few clients have threads by themselves",
       "a",
       {15},
       kAuto,
       true,
       false,
       kMany,
       10,
       kMany,
       "agent a: needs 35 threads for 15 clients, can start 10 more (pids.max): raise TasksMax= of "
       "its unit, or use --load-engine=epoll"},
      {"many have none", "a", {16}, kAuto, true, false, kMany, 10, kMany, ""},
      {"ports",
       "a",
       {30'000},
       kAuto,
       true,
       false,
       kMany,
       kMany,
       28'232,
       "agent a: needs 30000 local ports for 30000 clients, has 28232: widen sysctl "
       "net.ipv4.ip_local_port_range of its host, or use more agents"},
      {"a socket needs no ports", "a", {30'000}, kAuto, false, false, kMany, kMany, 28'232, ""},
      {"all that is missing is told",
       "a",
       {5000},
       kThreads,
       true,
       false,
       1024,
       3000,
       4000,
       "agent a: needs 5030 descriptors for 5000 clients, has 1024: raise LimitNOFILE= of its unit "
       "(or `ulimit -n`), and needs 5020 threads for 5000 clients, can start 3000 more (pids.max): "
       "raise TasksMax= of its unit, or use --load-engine=epoll, and needs 5000 local ports for "
       "5000 clients, has 4000: widen sysctl net.ipv4.ip_local_port_range of its host, or use more "
       "agents"},
  };
  return *kRows;
}

TEST(AgentCapacityTest, Table) {
  for (const Row& row : Rows()) {
    SCOPED_TRACE(row.what);
    AgentLoad load;
    load.shares = row.shares;
    load.engine.kind = row.engine;
    load.over_tcp = row.over_tcp;
    load.over_tls = row.over_tls;
    const absl::Status status = CheckCapacity(row.agent, Info(row), load);
    EXPECT_EQ(status.message(), row.expected);
    EXPECT_EQ(status.code(),
              row.expected.empty() ? absl::StatusCode::kOk : absl::StatusCode::kResourceExhausted);
  }
}

TEST(AgentCapacityTest, LimitsThatAnAgentDoesNotTellAreNone) {
  AgentLoad load;
  load.shares = {100'000};
  load.engine.kind = kThreads;
  load.over_tcp = true;
  EXPECT_EQ(CheckCapacity("a", v1::GetInfoResponse(), load), absl::OkStatus());
}

TEST(AgentCapacityTest, MoreClientsThanTheOwnerAllows) {
  v1::GetInfoResponse info;
  info.mutable_guard_rails()->set_max_clients(100);
  info.mutable_guard_rails()->set_max_clients_rule("--max-clients=100 (/a.conf:8)");
  AgentLoad load;
  load.shares = {50, 100};
  EXPECT_EQ(CheckCapacity("db-a:7527", info, load), absl::OkStatus());
  load.shares = {50, 101, 20};
  EXPECT_EQ(CheckCapacity("db-a:7527", info, load),
            absl::ResourceExhaustedError(
                "agent db-a:7527: is to have 101 clients, but its owner allows no more than 100 "
                "(--max-clients=100 (/a.conf:8)): use more agents"));
}

TEST(AgentCapacityTest, WithoutEventLoopsNoneAreOffered) {
  v1::GetInfoResponse info;
  info.set_free_threads(5);
  info.set_threads_limit("kernel.pid_max");
  AgentLoad load;
  load.shares = {100};
  EXPECT_EQ(CheckCapacity("a", info, load).message(),
            "agent a: needs 120 threads for 100 clients, can start 5 more (kernel.pid_max): raise "
            "sysctl kernel.pid_max of its host");
}

TEST(AgentCapacityTest, LoadIsTheAgentsShareOfEachCase) {
  Plan plan;
  plan.cases.resize(2);
  plan.cases[0].clients = 9;
  plan.cases[1].clients = 1;
  TargetOptions target;
  target.host = "db";
  target.tls.mode = TlsMode::kRequired;
  const std::vector<AgentLoad> loads = LoadsOf(plan, {2, 0, 1}, {}, target);
  ASSERT_EQ(loads.size(), 3u);
  EXPECT_EQ(loads[0].shares, (std::vector<uint64_t>{6, 1}));
  EXPECT_EQ(loads[1].shares, (std::vector<uint64_t>{0, 0}));
  EXPECT_EQ(loads[2].shares, (std::vector<uint64_t>{3, 0}));
  EXPECT_TRUE(loads[2].over_tcp);
  EXPECT_TRUE(loads[2].over_tls);
  target.tls.mode = TlsMode::kPreferred;
  EXPECT_FALSE(LoadsOf(plan, {1}, {}, target)[0].over_tls);
  target.host = "localhost";
  EXPECT_FALSE(LoadsOf(plan, {1}, {}, target)[0].over_tcp);
}

}  // namespace
}  // namespace dslap
