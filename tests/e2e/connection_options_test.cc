// Every option of the connection through the real program, and what the server saw of it.
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "controller/exit_code.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/e2e_checks.h"
#include "tests/support/agent_process.h"
#include "tests/support/certificates.h"
#include "tests/support/dslap_process.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const auto* const kSandboxEnvironment = AddSandboxEnvironment(Certificates::Get().ServerOptions());

// A client's session, as the server has it.
struct Seen {
  std::string host, tls_version, tls_cipher, compression, sql_mode, mark;
  std::string report;  // what dslap printed
};

class ConnectionOptionsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = ::testing::TempDir() + "/dslap-connections-XXXXXX";
    ASSERT_NE(mkdtemp(directory_.data()), nullptr);
    Sandbox().MakeSchema("seen");
    Sandbox().Execute(
        "CREATE TABLE seen.t (host TEXT, tls_version TEXT, tls_cipher TEXT, compression TEXT, "
        "sql_mode TEXT, mark TEXT)");
  }
  void TearDown() override {
    Sandbox().Execute("DROP DATABASE seen");
    std::filesystem::remove_all(directory_);
  }

  static std::vector<std::string> Load(std::vector<std::string> arguments) {
    const auto status = [](const char* name) {
      return absl::StrCat(
          ", (SELECT variable_value FROM information_schema.session_status WHERE variable_name = '",
          name, "')");
    };
    arguments.insert(
        arguments.begin(),
        {absl::StrCat("--query=INSERT INTO seen.t SELECT substring_index(host, ':', 1)",
                      status("SSL_VERSION"), status("SSL_CIPHER"), status("COMPRESSION"),
                      ", @@sql_mode, @mark FROM information_schema.processlist "
                      "WHERE id = connection_id()"),
         "--concurrency=2", "--number-of-queries=6"});
    return arguments;
  }

  // What all clients of a run that goes well have in common.
  static Seen See(const std::vector<std::string>& arguments) {
    return Look(RunDslap(Load(arguments)));
  }
  static Seen Look(const ProcessResult& result) {
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const auto rows = Sandbox().Rows("SELECT DISTINCT * FROM seen.t");
    Sandbox().Execute("TRUNCATE seen.t");
    Seen seen;
    EXPECT_EQ(rows.size(), 1u);
    if (rows.size() == 1 && rows[0].size() == 6) {
      seen = {rows[0][0], rows[0][1], rows[0][2], rows[0][3], rows[0][4], rows[0][5], result.out};
    }
    return seen;
  }

  // Nothing is measured, for this reason.
  static void ExpectRefused(const std::vector<std::string>& arguments, ExitCode code,
                            const std::string& reason) {
    const ProcessResult result = RunDslap(Load(arguments));
    EXPECT_EQ(result.exit_code, static_cast<int>(code)) << result.err;
    EXPECT_THAT(result.err, HasSubstr(reason));
    EXPECT_LT(result.elapsed, kFewSeconds);
  }

  std::string Write(const std::string& name, const std::string& content) const {
    const std::string path = absl::StrCat(directory_, "/", name);
    std::ofstream(path) << content;
    std::filesystem::permissions(path, std::filesystem::perms{0600});
    return path;
  }

  std::string directory_;
};

// ---- where to

TEST_F(ConnectionOptionsTest, HostAndPortAreTcp) { EXPECT_EQ(See({}).host, "127.0.0.1"); }

TEST_F(ConnectionOptionsTest, SocketAndProtocolChooseTheTransport) {
  const std::string socket = "--socket=" + Sandbox().socket();
  const Seen over_socket = See({"--host=localhost", socket});
  EXPECT_EQ(over_socket.host, "localhost");
  EXPECT_THAT(over_socket.report, HasSubstr("\tConnections: Unix socket\n"));
  EXPECT_EQ(See({"--host=localhost", socket, "--protocol=tcp"}).host, "127.0.0.1");
  EXPECT_EQ(See({"--host=localhost", socket, "--protocol=socket"}).host, "localhost");
}

// ---- TLS

TEST_F(ConnectionOptionsTest, TlsIsUsedAsTheModeSays) {
  const Seen preferred = See({});
  EXPECT_EQ(preferred.tls_version, "TLSv1.3");
  EXPECT_THAT(preferred.report,
              HasSubstr(absl::StrCat("\tConnections: TLS 1.3 (", preferred.tls_cipher, ")\n")));
  for (const char* const off : {"--compat=mariadb", "--skip-ssl", "--ssl-mode=DISABLED"}) {
    const Seen seen = See({off});
    EXPECT_EQ(seen.tls_cipher, "") << off;
    EXPECT_THAT(seen.report, HasSubstr("\tConnections: unencrypted\n")) << off;
  }
  EXPECT_NE(See({"--compat=mariadb", "--ssl"}).tls_cipher, "");
  EXPECT_NE(See({"--ssl-mode=REQUIRED"}).tls_cipher, "");
}

TEST_F(ConnectionOptionsTest, AgentsUseItToo) {
  const AgentFleet agents = StartAgents(2);
  ASSERT_EQ(agents.size(), 2u);
  const Seen seen = Look(RunDslap(
      WithAgents(agents, Load({"--ssl-ca=" + Certificates::Get().ca(), "--ssl-mode=VERIFY_CA",
                               "--tls-version=TLSv1.2", "--json"}))));
  EXPECT_EQ(seen.tls_version, "TLSv1.2");
  EXPECT_THAT(seen.report, HasSubstr("\"tls_version\": \"TLSv1.2\""));
  EXPECT_THAT(seen.report, HasSubstr(absl::StrCat("\"tls_cipher\": \"", seen.tls_cipher, "\"")));
}

TEST_F(ConnectionOptionsTest, AuthorityDecidesWhomToTrust) {
  const Certificates& files = Certificates::Get();
  EXPECT_NE(See({"--ssl-ca=" + files.ca()}).tls_cipher, "");
  EXPECT_NE(See({"--ssl-capath=" + files.ca_directory()}).tls_cipher, "");
  ExpectRefused({"--ssl-ca=" + files.other_ca()}, ExitCode::kSetUpFailed,
                "--ssl-ca says whom to trust");
  ExpectRefused({"--ssl-ca=/nonexistent/ca.pem"}, ExitCode::kAgentUnavailable,
                "--ssl-ca: read /nonexistent/ca.pem: No such file or directory");
}

TEST_F(ConnectionOptionsTest, NameIsVerifiedWhenAsked) {
  const std::string ca = "--ssl-ca=" + Certificates::Get().ca();
  ExpectRefused({ca, "--ssl-verify-server-cert"}, ExitCode::kSetUpFailed,
                "it does not bear the name '127.0.0.1'");
  ExpectRefused({ca, "--ssl-mode=VERIFY_IDENTITY"}, ExitCode::kSetUpFailed,
                "it does not bear the name '127.0.0.1'");
  EXPECT_NE(See({ca, "--ssl-verify-server-cert", "--host=localhost", "--protocol=tcp"}).tls_cipher,
            "");
}

TEST_F(ConnectionOptionsTest, AccountThatRequiresACertificateGetsIt) {
  Sandbox().Execute(
      "CREATE OR REPLACE USER certified@'%' IDENTIFIED BY 'pw' REQUIRE X509;"
      "GRANT ALL ON *.* TO certified@'%'");
  const Certificates& files = Certificates::Get();
  ExpectRefused({"-ucertified", "-ppw"}, ExitCode::kSetUpFailed, "1045/28000");
  EXPECT_NE(See({"-ucertified", "-ppw", "--ssl-cert=" + files.client(),
                 "--ssl-key=" + files.client_key()})
                .tls_cipher,
            "");
  Sandbox().Execute("DROP USER certified@'%'");
}

TEST_F(ConnectionOptionsTest, VersionAndCiphersAreObeyed) {
  EXPECT_EQ(See({"--tls-version=TLSv1.2"}).tls_version, "TLSv1.2");
  const Seen old = See({"--tls-version=TLSv1.2", "--ssl-cipher=ECDHE-ECDSA-AES128-GCM-SHA256"});
  EXPECT_EQ(old.tls_cipher, "ECDHE-ECDSA-AES128-GCM-SHA256");
  EXPECT_THAT(old.report, HasSubstr("\tConnections: TLS 1.2 (ECDHE-ECDSA-AES128-GCM-SHA256)\n"));
  EXPECT_EQ(See({"--tls-ciphersuites=TLS_CHACHA20_POLY1305_SHA256"}).tls_cipher,
            "TLS_CHACHA20_POLY1305_SHA256");
  ExpectRefused({"--ssl-cipher=NULL-SHA256", "--tls-version=TLSv1.2"}, ExitCode::kSetUpFailed,
                "2026/HY000");
}

// ---- compression, authentication, sessions

TEST_F(ConnectionOptionsTest, CompressionIsUsedWhenAsked) {
  EXPECT_EQ(See({}).compression, "OFF");
  EXPECT_EQ(See({"--compress"}).compression, "ON");
  EXPECT_EQ(See({"--compress", "--skip-ssl"}).compression, "ON");
  EXPECT_EQ(See({"--compression-algorithms=zlib,uncompressed"}).compression, "ON");
  EXPECT_EQ(See({"--compression-algorithms=uncompressed"}).compression, "OFF");
}

TEST_F(ConnectionOptionsTest, PluginsAndTheirDirectory) {
  See({"--default-auth=mysql_native_password"});
  See({"--plugin-dir=" + directory_});
  ExpectRefused({"--plugin-dir=/nonexistent"}, ExitCode::kAgentUnavailable,
                "--plugin-dir: read /nonexistent: No such file or directory");
  See({"--character-sets-dir=/usr/share/mysql/charsets"});
}

TEST_F(ConnectionOptionsTest, SessionsAreSetUp) {
  EXPECT_EQ(See({"--init-command=SET @mark = 'mine'"}).mark, "mine");
  EXPECT_EQ(See({"--sql-mode=NO_ZERO_DATE,PIPES_AS_CONCAT"}).sql_mode,
            "PIPES_AS_CONCAT,NO_ZERO_DATE");
  EXPECT_EQ(See({"--sql-mode="}).sql_mode, "");
}

// ---- where the password comes from

// The account, but for its password.
std::vector<std::string> WithoutPassword() {
  return {"--no-defaults", "-h127.0.0.1", absl::StrCat("-P", Sandbox().port()),
          absl::StrCat("-u", Sandbox().user())};
}

TEST_F(ConnectionOptionsTest, PasswordFromAFileOrAnOptionFile) {
  const auto run = [](std::vector<std::string> arguments) {
    const std::vector<std::string> load = Load({});
    arguments.insert(arguments.end(), load.begin(), load.end());
    return RunProcess(BareDslapSpec(arguments), absl::Seconds(60));
  };
  std::vector<std::string> arguments = WithoutPassword();
  EXPECT_THAT(run(arguments).err, HasSubstr("1045/28000"));
  arguments.push_back("--password-file=" + Write("password", Sandbox().password() + "\n"));
  EXPECT_EQ(Look(run(arguments)).host, "127.0.0.1");

  arguments = WithoutPassword();
  arguments[0] = "--defaults-file=" +
                 Write("my.cnf", absl::StrCat("[client]\npassword=", Sandbox().password(), "\n"));
  EXPECT_EQ(Look(run(arguments)).host, "127.0.0.1");
}

// A process with a terminal of its own.
class OnTerminal {
 public:
  explicit OnTerminal(const std::vector<std::string>& argv) {
    std::vector<char*> pointers;
    for (const std::string& argument : argv) {
      pointers.push_back(const_cast<char*>(argument.c_str()));
    }
    pointers.push_back(nullptr);
    pid_ = forkpty(&screen_, nullptr, nullptr, nullptr);
    if (pid_ == 0) {
      execv(pointers[0], pointers.data());
      _exit(127);
    }
  }
  ~OnTerminal() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    close(screen_);
  }
  OnTerminal(const OnTerminal&) = delete;
  OnTerminal& operator=(const OnTerminal&) = delete;

  void Type(const std::string& text) const {
    EXPECT_EQ(write(screen_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  // Until the text is on the screen, or the process has ended.
  bool WaitFor(const std::string& text) {
    while (shown_.find(text) == std::string::npos) {
      if (!ReadSome()) return false;
    }
    return true;
  }
  int WaitForEnd() {
    while (ReadSome()) {
    }
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  const std::string& shown() const { return shown_; }

 private:
  // False when nobody has the terminal any more. The time limit of the test program is the bound.
  bool ReadSome() {
    char buffer[4096];
    const ssize_t got = read(screen_, buffer, sizeof(buffer));
    if (got <= 0) return false;
    shown_.append(buffer, static_cast<size_t>(got));
    return true;
  }

  int screen_ = -1;
  pid_t pid_ = -1;
  std::string shown_;
};

TEST_F(ConnectionOptionsTest, PasswordIsAskedForOnTheTerminalAndNotShown) {
  std::vector<std::string> arguments = WithoutPassword();
  arguments.emplace_back("-p");
  const std::vector<std::string> load = Load({});
  arguments.insert(arguments.end(), load.begin(), load.end());
  const std::string secret = Sandbox().password();
  for (const bool right : {true, false}) {
    OnTerminal dslap(BareDslapSpec(arguments).argv);
    ASSERT_TRUE(dslap.WaitFor("Enter password: ")) << dslap.shown();
    dslap.Type((right ? secret : "wrong-" + secret) + "\n");
    EXPECT_EQ(dslap.WaitForEnd(),
              static_cast<int>(right ? ExitCode::kValid : ExitCode::kSetUpFailed));
    EXPECT_THAT(dslap.shown(), HasSubstr(right ? "Verdict: VALID" : "1045/28000"));
    EXPECT_EQ(dslap.shown().find(secret), std::string::npos);
  }
}

// ---- Ctrl-C over TLS

// Number of agents; 0: in-process.
class InterruptedOverTlsTest : public ::testing::TestWithParam<int> {};

TEST_P(InterruptedOverTlsTest, ControlCKillsTheStatementsOnTheServer) {
  const std::string statement = "select sleep(300)";
  const AgentFleet agents = StartAgents(GetParam());
  ASSERT_EQ(agents.size(), static_cast<size_t>(GetParam()));
  std::vector<std::string> arguments = WithAgents(agents, EndlessLoad(statement));
  arguments.emplace_back("--ssl");
  Subprocess dslap(DslapSpec(arguments));
  ASSERT_TRUE(WaitUntilAllRun(statement)) << dslap.err();
  dslap.Signal(SIGINT);
  const ProcessResult result = WaitForEnd(dslap);
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kInterrupted)) << result.err;
  EXPECT_THAT(result.out, ContainsRegex("\tConnections: TLS 1.3 \\("));
  EXPECT_TRUE(Sandbox().WaitForValue(
      absl::StrCat("SELECT COUNT(*) FROM information_schema.processlist WHERE info = '", statement,
                   "'"),
      "0", absl::Seconds(5)));
  ExpectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(AgentNumbers, InterruptedOverTlsTest, ::testing::Values(0, 2));

}  // namespace
}  // namespace dslap
