// dslap-agent as a process: command line, exit codes, log, signals.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/grpc_status.h"
#include "dslap/v1/agent.grpc.pb.h"
#include "tests/fakes/run_requests.h"
#include "tests/support/agent_process.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr absl::Duration kBound = absl::Seconds(30);

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

ProcessResult RunAgent(const std::vector<std::string>& arguments) {
  SubprocessSpec spec;
  spec.argv = {absl::StrCat(DSLAP_BINARY_DIR, "/bin/dslap-agent")};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  return RunProcess(spec, kBound);
}

TEST(AgentMainTest, VersionAndHelp) {
  ProcessResult result = RunAgent({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, absl::StrCat("dslap-agent ", BuildVersion(), ", agent protocol 1.1\n"));
  EXPECT_EQ(result.err, "");
  result = RunAgent({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("usage: dslap-agent [OPTIONS]\n"));
  EXPECT_EQ(result.err, "");
}

TEST(AgentMainTest, WrongCommandLineIsOneLineAndExitCode2) {
  ProcessResult result = RunAgent({"--port=1"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "dslap-agent: unknown option '--port=1': see dslap-agent --help\n");
  result = RunAgent({"--listen=0.0.0.0:0"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "dslap-agent: --listen: 0.0.0.0:0 can be reached by other hosts, and whoever reaches "
            "an agent can make it load any database: give --tls-cert, --tls-key and --tls-ca "
            "(dslap-make-certs makes them), listen on loopback (127.0.0.1), or say --insecure "
            "in a network you trust\n");
}

// A configuration file, there for one test.
class ConfFile {
 public:
  explicit ConfFile(const std::string& text)
      : path_(absl::StrCat(testing::TempDir(), "agent_main_test.", getpid(), ".conf")) {
    std::ofstream(path_) << text;
  }
  ~ConfFile() { std::filesystem::remove(path_); }
  ConfFile(const ConfFile&) = delete;
  ConfFile& operator=(const ConfFile&) = delete;
  const std::string& path() const { return path_; }
  std::string Argument() const { return absl::StrCat("--config=", path_); }

 private:
  const std::string path_;
};

TEST(AgentMainTest, WrongConfigurationIsOneLineAndExitCode2) {
  const ConfFile conf("# mine\nlistn = 127.0.0.1:0\ninsecure = no\n");
  const ProcessResult result = RunAgent({conf.Argument()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, absl::StrCat("dslap-agent: ", conf.path(),
                                     ":2: unknown option 'listn': see dslap-agent --help\n"));
}

TEST(AgentMainTest, CheckedConfigurationNamesAllThatIsWrong) {
  const ConfFile conf("listn = 127.0.0.1:0\nlisten = 0.0.0.0:7527\ntls-cert = /no/cert\n");
  const ProcessResult result = RunAgent({conf.Argument(), "--check-config", "--token-file=/no/t"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            absl::StrCat("dslap-agent: ", conf.path(),
                         ":1: unknown option 'listn': see dslap-agent --help\n"
                         "dslap-agent: --tls-cert (",
                         conf.path(),
                         ":3) without --tls-key: give both\n"
                         "dslap-agent: --token-file: read /no/t: No such file or directory\n"));
}

TEST(AgentMainTest, CheckedConfigurationIsFineBesideTheAgentThatUsesIt) {
  AgentProcess agent;
  ASSERT_TRUE(agent.WaitUntilListening());
  const ConfFile conf(absl::StrCat("listen = ", agent.address(), "\n"));
  const ProcessResult result = RunAgent({conf.Argument(), "--check-config"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, absl::StrCat("ok: would listen on ", agent.address(), "\n"));
  EXPECT_EQ(result.err, "");
}

TEST(AgentMainTest, ConfigurationIsPrintedWithWhereItComesFrom) {
  const ConfFile conf("listen = 0.0.0.0:7527\n");
  const ProcessResult result = RunAgent({conf.Argument(), "--insecure", "--print-config"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, testing::ContainsRegex(
                              absl::StrCat("listen = 0.0.0.0:7527 +# ", conf.path(), ":1\n")));
  EXPECT_THAT(result.out, testing::ContainsRegex("\ninsecure +# command line\n"));
  EXPECT_THAT(result.out, testing::ContainsRegex("\n# tls-ca = +# default\n"));
}

TEST(AgentMainTest, AddressInUseIsOneLineAndExitCode1) {
  AgentProcess first;
  ASSERT_TRUE(first.WaitUntilListening());
  const ProcessResult result = RunAgent({"--listen=" + first.address()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err,
            absl::StrCat("dslap-agent: listen on ", first.address(), ": Address already in use\n"));
}

TEST(AgentMainTest, InsecureListensAnywhereAndSaysSoLoudly) {
  AgentProcess agent({"--listen=0.0.0.0:0", "--insecure"});
  ASSERT_TRUE(agent.WaitUntilListening());
  EXPECT_THAT(agent.address(), testing::StartsWith("0.0.0.0:"));
  EXPECT_THAT(agent.process().err(), HasSubstr(" warning --insecure: "));
}

TEST(AgentMainTest, EitherSignalEndsAnIdleAgent) {
  for (const int signal : {SIGTERM, SIGINT}) {
    AgentProcess agent;
    ASSERT_TRUE(agent.WaitUntilListening());
    agent.process().Signal(signal);
    ASSERT_TRUE(agent.process().WaitForExit(kBound));
    EXPECT_EQ(agent.process().exit_code(), 0);
  }
}

// A run with a real agent and a real server, its messages one by one.
class AgentRunTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(agent_.WaitUntilListening());
    stub_ = v1::Agent::NewStub(
        grpc::CreateChannel(agent_.address(), grpc::InsecureChannelCredentials()));
    context_.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    stream_ = stub_->Run(&context_);
  }

  v1::RunResponse Call(const v1::RunRequest& request) {
    stream_->Write(request);
    v1::RunResponse response;
    if (!stream_->Read(&response)) response.Clear();
    return response;
  }

  absl::Status End() {
    v1::RunResponse response;
    while (stream_->Read(&response)) {
    }
    return FromGrpcStatus(stream_->Finish());
  }

  v1::RunRequest Open() {
    v1::RunRequest request = OpenRequest("r-17");
    v1::Target& target = *request.mutable_open()->mutable_target();
    target.set_host("127.0.0.1");
    target.set_port(static_cast<uint32_t>(Sandbox().port()));
    target.set_user(Sandbox().user());
    target.set_password(Sandbox().password());
    return request;
  }

  void StartSleeping() {
    ASSERT_TRUE(Call(Open()).has_opened());
    ASSERT_TRUE(Call(ChunkRequest({"SELECT SLEEP(600)"})).has_statements_accepted());
    ASSERT_EQ(Call(PrepareRequest(1, 2, 1)).round_ready().clients_connected(), 2u);
    ASSERT_TRUE(Call(StartRequest(1)).has_round_started());
    const absl::Time bound = absl::Now() + kBound;
    while (Sandbox().Value("SELECT COUNT(*) FROM information_schema.processlist WHERE info = "
                           "'SELECT SLEEP(600)'") != "2") {
      ASSERT_LT(absl::Now(), bound) << "the clients do not begin";
    }
  }

  AgentProcess agent_;
  std::unique_ptr<v1::Agent::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::RunRequest, v1::RunResponse>> stream_;
};

TEST_F(AgentRunTest, OneLogLineForTheStartAndOneForTheEndWithoutSecrets) {
  ASSERT_TRUE(Call(Open()).has_opened());
  EXPECT_FALSE(Call(ScriptRequestOf(1, {"SELECT 'a secret statement'"})).script_done().has_error());
  ASSERT_TRUE(Call(CloseRequest()).has_closed());
  EXPECT_EQ(End(), absl::OkStatus());
  ASSERT_TRUE(agent_.process().WaitForErrorLine("event=run ", kBound));
  const std::string log = agent_.process().err();
  const std::string who = absl::StrCat(
      " id=r-17 controller=\"ann@db-a pid 17\" peer=ipv4:127\\.0\\.0\\.1:[0-9]+ certificate=- "
      "target=127\\.0\\.0\\.1:",
      Sandbox().port(), " user=", Sandbox().user());
  EXPECT_THAT(log, testing::ContainsRegex(absl::StrCat(" info event=run-started", who, "\n")));
  EXPECT_THAT(log, testing::ContainsRegex(
                       absl::StrCat(" info event=run", who,
                                    " clients=0 rounds=0 statements=0 errors=0 outcome=finished "
                                    "duration=0\\.[0-9]+s\n")));
  EXPECT_THAT(log, Not(HasSubstr(Sandbox().password())));
  EXPECT_THAT(log, Not(HasSubstr("secret")));
}

TEST_F(AgentRunTest, SignalEndsARunCleanlyAtBothEnds) {
  ASSERT_NO_FATAL_FAILURE(StartSleeping());
  agent_.process().Signal(SIGTERM);
  v1::RunResponse response;
  do {
    ASSERT_TRUE(stream_->Read(&response));
  } while (response.has_progress());
  EXPECT_EQ(response.round_done().statements_interrupted(), 2u);
  EXPECT_EQ(End(), absl::UnavailableError("agent is shutting down"));
  ASSERT_TRUE(agent_.process().WaitForExit(kBound));
  EXPECT_EQ(agent_.process().exit_code(), 0);
}

TEST_F(AgentRunTest, SecondSignalEndsItAtOnce) {
  ASSERT_NO_FATAL_FAILURE(StartSleeping());
  agent_.process().Signal(SIGTERM);
  // From here the statements that run have a second of grace.
  ASSERT_TRUE(agent_.process().WaitForErrorLine("shutting down", kBound));
  agent_.process().Signal(SIGTERM);
  ASSERT_TRUE(agent_.process().WaitForExit(kBound));
  EXPECT_EQ(agent_.process().exit_code(), 1);
  EXPECT_THAT(agent_.process().err(), Not(HasSubstr("event=run ")));
}

}  // namespace
}  // namespace dslap
