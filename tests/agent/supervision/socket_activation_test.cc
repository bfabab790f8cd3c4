// dslap-agent on a listening socket that was made before it, as systemd does for a .socket unit.
#include <arpa/inet.h>
#include <grpcpp/grpcpp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "dslap/v1/agent.grpc.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/dslap_process.h"
#include "tests/support/link_certificates.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::HasSubstr;

constexpr absl::Duration kBound = absl::Seconds(30);
constexpr char kUnitNeeds[] =
    ": the socket unit needs one ListenStream=ADDRESS:PORT and Accept=no\n";

// A socket bound to a free port of `host`.
class TestSocket {
 public:
  explicit TestSocket(const std::string& host = "127.0.0.1", int type = SOCK_STREAM,
                      bool listening = true)
      : fd_(socket(AF_INET, type, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    inet_pton(AF_INET, host.c_str(), &address.sin_addr);
    EXPECT_EQ(bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
    if (listening) {
      EXPECT_EQ(listen(fd_, 16), 0);
    }
    socklen_t size = sizeof(address);
    getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  ~TestSocket() { close(fd_); }
  TestSocket(const TestSocket&) = delete;
  TestSocket& operator=(const TestSocket&) = delete;

  int fd() const { return fd_; }
  std::string loopback_address() const { return absl::StrCat("127.0.0.1:", port_); }
  int port() const { return port_; }

 private:
  const int fd_;
  int port_ = 0;
};

// `fds` become 3, 4, ... of the agent.
SubprocessSpec AgentSpec(const std::vector<int>& fds,
                         const std::vector<std::string>& arguments = {}) {
  std::string command =
      absl::StrCat("LISTEN_PID=$$ LISTEN_FDS=", fds.size(), " exec ", DSLAP_BINARY_DIR,
                   "/bin/dslap-agent ", absl::StrJoin(arguments, " "));
  int target = 3;
  // Twice: what is to be copied may have the number of a copy.
  for (size_t i = 0; i < fds.size(); ++i) absl::StrAppend(&command, " ", 100 + i, "<&", fds[i]);
  for (size_t i = 0; i < fds.size(); ++i) absl::StrAppend(&command, " ", target++, "<&", 100 + i);
  return {.argv = {"/bin/bash", "-c", command}};
}

grpc::Status GetInfo(const std::string& address) {
  const auto stub =
      v1::Agent::NewStub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
  context.set_wait_for_ready(true);
  v1::GetInfoResponse response;
  return stub->GetInfo(&context, {}, &response);
}

TEST(SocketActivationTest, ServesOnThePassedSocket) {
  const TestSocket socket;
  Subprocess agent(AgentSpec({socket.fd()}));
  EXPECT_TRUE(GetInfo(socket.loopback_address()).ok()) << agent.err();
  EXPECT_TRUE(
      agent.WaitForErrorLine(absl::StrCat("listening on ", socket.loopback_address()), kBound));
  agent.Signal(SIGTERM);
  ASSERT_TRUE(agent.WaitForExit(kBound));
  EXPECT_EQ(agent.exit_code(), 0);
  // Who held it before holds it still: a caller waits for the next agent instead of being refused.
  Subprocess next(AgentSpec({socket.fd()}));
  EXPECT_TRUE(GetInfo(socket.loopback_address()).ok()) << next.err();
}

TEST(SocketActivationTest, CallerThatCameBeforeTheAgentIsServed) {
  const TestSocket socket;
  Subprocess caller(BareDslapSpec({"agents", "--agents=" + socket.loopback_address()}));
  Subprocess agent(AgentSpec({socket.fd()}));
  ASSERT_TRUE(caller.WaitForExit(kBound));
  EXPECT_EQ(caller.exit_code(), 0) << caller.out() << caller.err();
  EXPECT_THAT(caller.out(), HasSubstr(" idle "));
}

TEST(SocketActivationTest, TlsHoldsOnThePassedSocket) {
  const LinkCertificates files;
  const TestSocket socket("0.0.0.0");
  Subprocess agent(AgentSpec({socket.fd()}, files.AgentArguments()));
  const std::string agents = "--agents=" + socket.loopback_address();
  std::vector<std::string> arguments = files.ControllerArguments();
  arguments.insert(arguments.begin(), {"agents", agents});
  ProcessResult result = RunProcess(BareDslapSpec(arguments), kBound);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err << agent.err();
  EXPECT_TRUE(agent.WaitForErrorLine(
      absl::StrCat("listening on 0.0.0.0:", socket.port(), " (TLS with client certificates)"),
      kBound));
  // Without a certificate of the authority nobody is let in here either.
  result = RunProcess(BareDslapSpec({"agents", agents, "--tls-ca=" + files.ca()}), kBound);
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.out, HasSubstr("did not accept the certificate of this side"));
}

void ExpectRefused(const std::vector<int>& fds, const std::string& message) {
  const ProcessResult result = RunProcess(AgentSpec(fds), kBound);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "dslap-agent: " + message);
}

TEST(SocketActivationTest, PlainTextThatOtherHostsReachIsRefusedAsOnAnOwnSocket) {
  const TestSocket socket("0.0.0.0");
  ExpectRefused({socket.fd()},
                absl::StrCat("the socket passed on start: 0.0.0.0:", socket.port(),
                             " can be reached by other hosts, and whoever reaches an agent can "
                             "make it load any database: give --tls-cert, --tls-key and --tls-ca "
                             "(dslap-make-certs makes them), listen on loopback (127.0.0.1), "
                             "or say --insecure in a network you trust\n"));
}

TEST(SocketActivationTest, OneSocketOnly) {
  const TestSocket a;
  const TestSocket b;
  ExpectRefused({a.fd(), b.fd()},
                "2 sockets were passed on start, and an agent takes one: the socket unit needs one "
                "ListenStream=ADDRESS:PORT\n");
}

TEST(SocketActivationTest, DatagramSocketIsRefused) {
  const TestSocket socket("127.0.0.1", SOCK_DGRAM, /*listening=*/false);
  ExpectRefused({socket.fd()},
                absl::StrCat("the socket passed on start is not of TCP", kUnitNeeds));
}

TEST(SocketActivationTest, SocketThatDoesNotListenIsRefused) {
  const TestSocket socket("127.0.0.1", SOCK_STREAM, /*listening=*/false);
  ExpectRefused({socket.fd()},
                absl::StrCat("the socket passed on start does not listen", kUnitNeeds));
}

TEST(SocketActivationTest, UnixSocketIsRefused) {
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  ExpectRefused({fd},
                absl::StrCat("the socket passed on start is not of IPv4 or IPv6", kUnitNeeds));
  close(fd);
}

TEST(SocketActivationTest, FileIsRefused) {
  const int fd = dup(STDIN_FILENO);
  ExpectRefused({fd}, absl::StrCat("the socket passed on start is no socket", kUnitNeeds));
  close(fd);
}

TEST(SocketActivationTest, NonsenseInTheEnvironmentIsRefused) {
  SubprocessSpec spec = AgentSpec({});
  spec.argv[2] =
      absl::StrCat("LISTEN_PID=$$ LISTEN_FDS=many exec ", DSLAP_BINARY_DIR, "/bin/dslap-agent");
  const ProcessResult result = RunProcess(spec, kBound);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "dslap-agent: LISTEN_FDS, LISTEN_PID: not as systemd sets them: Invalid argument\n");
}

}  // namespace
}  // namespace dslap
