// What cannot work ends soon, in one clear line, with the exit code of the table
// (controller/exit_code.h), and leaves nothing behind; agents go on serving.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "controller/exit_code.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/e2e_checks.h"
#include "tests/support/agent_process.h"
#include "tests/support/dslap_process.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {
const auto* const kSandboxEnvironment = AddSandboxEnvironment();

// A port of loopback that is bound: nothing answers there, and nobody else can take it. It refuses
// connections, or, when it listens, takes them and stays silent.
class DeadPort {
 public:
  explicit DeadPort(bool listens) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(bind(fd_, generic, size), 0);
    EXPECT_TRUE(!listens || listen(fd_, 16) == 0);
    EXPECT_EQ(getsockname(fd_, generic, &size), 0);
    port_ = ntohs(address.sin_port);
  }
  ~DeadPort() { close(fd_); }
  DeadPort(const DeadPort&) = delete;
  DeadPort& operator=(const DeadPort&) = delete;

  std::string number() const { return absl::StrCat(port_); }
  std::string address() const { return absl::StrCat("127.0.0.1:", port_); }

 private:
  int fd_;
  uint16_t port_ = 0;
};

void ExpectExitCode(const ProcessResult& result, ExitCode code) {
  EXPECT_EQ(result.exit_code, static_cast<int>(code)) << result.err;
  EXPECT_LT(result.elapsed, kFewSeconds);
}

// ---- the database or the input is at fault: in-process and over agents

struct Fault {
  std::string name;
  std::vector<std::string> arguments;
  ExitCode exit_code;
  std::vector<std::string> line;  // parts of the line on stderr
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class FailingRunTest : public ::testing::TestWithParam<std::tuple<Fault, int>> {};

TEST_P(FailingRunTest, EndsInOneLineAndLeavesNothing) {
  const Fault& fault = std::get<0>(GetParam());
  const AgentFleet agents = StartAgents(std::get<1>(GetParam()));
  ASSERT_EQ(agents.size(), static_cast<size_t>(std::get<1>(GetParam())));

  const ProcessResult result = RunDslap(WithAgents(agents, fault.arguments));

  ExpectExitCode(result, fault.exit_code);
  ExpectOneErrorLine(result, fault.line);
  ExpectNothingLeft();
  ExpectAgentsServe(agents);
}

INSTANTIATE_TEST_SUITE_P(
    Faults, FailingRunTest,
    ::testing::Combine(
        ::testing::Values(
            Fault{"WrongPassword",
                  {"-pnot-the-password", "-a"},
                  ExitCode::kSetUpFailed,
                  {"Access denied for user 'dslap'", "(1045/28000)", "connect to 127.0.0.1:"}},
            Fault{"UnknownSchema",
                  {"--create-schema=no_such_schema", "--query=select 1"},
                  ExitCode::kSetUpFailed,
                  {"schema `no_such_schema` does not exist", "--create"}},
            Fault{"MissingQueryFile",
                  {"--query=/no/such/query.sql"},
                  ExitCode::kUsage,
                  {"--query", "/no/such/query.sql", "No such file or directory"}},
            Fault{"MissingCreateFile",
                  {"--create=./no-such-create.sql", "--query=select 1"},
                  ExitCode::kUsage,
                  {"--create", "./no-such-create.sql", "No such file or directory"}},
            Fault{"SyntaxErrorInCreate",
                  {"--create=create tabel t (a int)", "--query=select 1"},
                  ExitCode::kSetUpFailed,
                  {"create tabel t (a int)", "(1064/42000)"}},
            Fault{"SyntaxErrorInQuery",
                  {"--create=create table t (a int)", "--query=selekt 1", "--concurrency=3"},
                  ExitCode::kFailures,
                  {"(1064/42000)", "selekt 1"}}),
        ::testing::Values(0, 2)),
    [](const ::testing::TestParamInfo<std::tuple<Fault, int>>& test) {
      return absl::StrCat(std::get<0>(test.param).name,
                          std::get<1>(test.param) == 0 ? "InProcess" : "OverAgents");
    });

class RefusedDatabaseTest : public ::testing::TestWithParam<int> {};

TEST_P(RefusedDatabaseTest, NamesHostAndPort) {
  const DeadPort port(/*listens=*/false);
  const AgentFleet agents = StartAgents(GetParam());
  ASSERT_EQ(agents.size(), static_cast<size_t>(GetParam()));
  const ProcessResult result =
      RunDslap(WithAgents(agents, {absl::StrCat("-P", port.number()), "-a"}));
  ExpectExitCode(result, ExitCode::kSetUpFailed);
  ExpectOneErrorLine(result, {absl::StrCat("connect to ", port.address()), "(2002/HY000)"});
  ExpectNothingLeft();
  ExpectAgentsServe(agents);
}

INSTANTIATE_TEST_SUITE_P(AgentNumbers, RefusedDatabaseTest, ::testing::Values(0, 2));

// ---- an agent is at fault: the other one is healthy, and nothing is touched

class BadAgentTest : public ::testing::Test {
 protected:
  void SetUp() override {
    healthy_ = StartAgents(1);
    ASSERT_EQ(healthy_.size(), 1u);
  }

  void ExpectRefusal(const std::string& bad_agent, const std::vector<std::string>& line) {
    const uint64_t created = Sandbox().StatusCounter("Com_create_db");
    const ProcessResult result = RunDslap({absl::StrCat(AgentsArgument(healthy_), ",", bad_agent),
                                           "-a", "--insecure", "--password="});
    ExpectExitCode(result, ExitCode::kAgentUnavailable);
    ExpectOneErrorLine(result, line);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(Sandbox().StatusCounter("Com_create_db"), created);
    ExpectNothingLeft();
    ExpectAgentsServe(healthy_);
  }

 private:
  AgentFleet healthy_;
};

TEST_F(BadAgentTest, RefusedPort) {
  const DeadPort port(/*listens=*/false);
  ExpectRefusal(port.address(), {absl::StrCat("agent ", port.address()), "Connection refused",
                                 "is dslap-agent running there?"});
}

TEST_F(BadAgentTest, TakesTheConnectionButNeverAnswers) {
  const DeadPort port(/*listens=*/true);
  ExpectRefusal(port.address(), {absl::StrCat("agent ", port.address())});
}

TEST_F(BadAgentTest, UnknownHost) {
  ExpectRefusal("no-such-host.invalid:7527",
                {"agent no-such-host.invalid:7527", "the host name cannot be resolved"});
}

TEST_F(BadAgentTest, UnreachableHost) {
  // An address for documentation: routers drop what is sent there, or say that they do not know it.
  ExpectRefusal("192.0.2.1:7527", {"agent 192.0.2.1:7527"});
}

TEST_F(BadAgentTest, SpeaksAnotherProtocol) {
  const std::string database = absl::StrCat("127.0.0.1:", Sandbox().port());
  ExpectRefusal(database, {absl::StrCat("agent ", database)});
}

}  // namespace
}  // namespace dslap
