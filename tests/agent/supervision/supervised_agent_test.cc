// dslap-agent as systemd sees it: when it is ready, what it does, that it lives and that it stops.
#include <grpcpp/grpcpp.h>

#include <csignal>
#include <map>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "dslap/v1/agent.grpc.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/run_requests.h"
#include "tests/support/notify_socket.h"
#include "tests/support/stopped_threads.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr absl::Duration kBound = absl::Seconds(30);
constexpr absl::Duration kWatchdog = absl::Seconds(1);

class SupervisedAgentTest : public testing::Test {
 protected:
  void Start(const std::string& arguments = "") {
    SubprocessSpec spec;
    // systemd's variables name the process that is meant.
    spec.argv = {"/bin/sh", "-c",
                 absl::StrCat("WATCHDOG_PID=$$ exec ", DSLAP_BINARY_DIR,
                              "/bin/dslap-agent --listen=127.0.0.1:0 ", arguments)};
    spec.env = {{"NOTIFY_SOCKET", manager_.path()},
                {"WATCHDOG_USEC", absl::StrCat(absl::ToInt64Microseconds(kWatchdog))}};
    agent_ = std::make_unique<Subprocess>(spec);
    ASSERT_EQ(manager_.Next(kBound), "READY=1\nSTATUS=idle") << agent_->err();
    // It was said before; our own reader may be behind.
    ASSERT_TRUE(agent_->WaitForErrorLine("listening on 127.0.0.1:", kBound)) << agent_->err();
  }

  void ExpectSigns() {
    manager_.Drop();
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(manager_.AwaitMessage("WATCHDOG=1", kBound)) << i;
  }

  // While the threads of that name do not run there is no sign of life, and the log says `why`.
  void ExpectNoSignWithout(const std::string& threads, const std::string& why) {
    ASSERT_NO_FATAL_FAILURE(Start());
    ExpectSigns();
    StoppedThreads stopped(agent_->pid(), threads);
    ASSERT_TRUE(agent_->WaitForErrorLine(
        absl::StrCat("error ", why, ": giving no sign of life until it does"), kBound))
        << agent_->err();
    manager_.Drop();
    EXPECT_EQ(manager_.Next(kWatchdog), "");
    stopped.Continue();
    EXPECT_TRUE(agent_->WaitForErrorLine("all parts answer again", kBound));
    ExpectSigns();
  }

  std::string Address() const {
    const std::string log = agent_->err();
    const std::string before = "listening on ";
    const size_t from = log.find(before) + before.size();
    return log.substr(from, log.find_first_of(" \n", from) - from);
  }

  NotifySocket manager_;
  std::unique_ptr<Subprocess> agent_;
};

TEST_F(SupervisedAgentTest, ReadyMeansThatItListens) {
  ASSERT_NO_FATAL_FAILURE(Start());
  const auto stub =
      v1::Agent::NewStub(grpc::CreateChannel(Address(), grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  v1::GetInfoResponse response;
  EXPECT_TRUE(stub->GetInfo(&context, {}, &response).ok());
  ExpectSigns();
}

TEST_F(SupervisedAgentTest, StoppingIsSaidOnSigterm) {
  ASSERT_NO_FATAL_FAILURE(Start());
  agent_->Signal(SIGTERM);
  EXPECT_TRUE(manager_.AwaitMessage("STOPPING=1\nSTATUS=ending what goes on", kBound));
  ASSERT_TRUE(agent_->WaitForExit(kBound));
  EXPECT_EQ(agent_->exit_code(), 0);
}

TEST_F(SupervisedAgentTest, StatusNamesTheRun) {
  ASSERT_NO_FATAL_FAILURE(Start());
  const auto stub =
      v1::Agent::NewStub(grpc::CreateChannel(Address(), grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  const auto stream = stub->Run(&context);
  v1::RunResponse response;
  stream->Write(OpenRequest("r-17"));
  ASSERT_TRUE(stream->Read(&response));
  ASSERT_TRUE(response.has_opened());
  EXPECT_TRUE(manager_.AwaitMessage("STATUS=run r-17 of ann@db-a pid 17", kBound));
  stream->Write(CloseRequest());
  EXPECT_TRUE(manager_.AwaitMessage("STATUS=idle", kBound));
}

TEST_F(SupervisedAgentTest, NoSignOfLifeWhenNobodySeesToLeases) {
  ExpectNoSignWithout("leases", "the thread that sees to leases is stuck");
}

TEST_F(SupervisedAgentTest, NoSignOfLifeWhenNobodyTakesConnections) {
  ExpectNoSignWithout("gate", "the thread that takes connections is stuck");
}

TEST_F(SupervisedAgentTest, NoSignOfLifeWhenNoCallIsAnswered) {
  ExpectNoSignWithout("nexting_thread", "a call is not answered");
}

// So that "journalctl -p warning" finds what matters.
TEST_F(SupervisedAgentTest, JournalIsToldTheLevelOfEachLine) {
  const std::string journal = "JOURNAL_STREAM=$(stat -L -c %d:%i /dev/stderr) ";
  const std::string agent = absl::StrCat("exec ", DSLAP_BINARY_DIR, "/bin/dslap-agent ");
  Subprocess insecure(
      {.argv = {"/bin/sh", "-c", absl::StrCat(journal, agent, "--listen=127.0.0.1:0 --insecure")}});
  ASSERT_TRUE(insecure.WaitForErrorLine("listening on", kBound));
  EXPECT_THAT(insecure.err(), StartsWith("<4>--insecure: whoever"));
  EXPECT_THAT(insecure.err(), HasSubstr("\n<6>dslap-agent "));
  const ProcessResult wrong = RunProcess(
      {.argv = {"/bin/sh", "-c", absl::StrCat(journal, agent, "--listen=nowhere")}}, kBound);
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, StartsWith("<3>--listen: 'nowhere' is no address to listen on"));
}

// It calls itself to see whether it lives, and knows no token to do so with.
TEST_F(SupervisedAgentTest, TokenDoesNotKeepItFromSeeingThatItLives) {
  char path[] = "/tmp/dslap-token-XXXXXX";
  const int fd = mkstemp(path);
  ASSERT_EQ(write(fd, "0123456789abcdef\n", 17), 17);
  close(fd);
  ASSERT_NO_FATAL_FAILURE(Start(absl::StrCat("--token-file=", path)));
  ExpectSigns();
  EXPECT_THAT(agent_->err(), Not(HasSubstr("refused")));
  unlink(path);
}

}  // namespace
}  // namespace dslap
