#include "agent/options/agent_guard_rails.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace dslap {
namespace {

TEST(AgentGuardRailsTest, NothingIsBoundedUnlessItIsSaid) {
  const GuardRails rails = MakeGuardRails(AgentOptions());
  SqlTarget target;
  target.host = "no-such-host.invalid";
  target.tls.ca = "/nonexistent/ca.pem";
  EXPECT_EQ(rails.admit_target(&target), absl::OkStatus());
  EXPECT_THAT(target.addresses, testing::IsEmpty());
  EXPECT_EQ(rails.target_rule, "");
  EXPECT_EQ(rails.max_clients, 0u);
  EXPECT_EQ(rails.max_run_time_ns, 0);
}

TEST(AgentGuardRailsTest, RulesAreNamedWithWhereTheyStand) {
  AgentOptions options;
  options.allow_target = {"10.0.0.0/8:3306", "unix:*"};
  options.max_clients = 100;
  options.max_run_time = absl::Hours(8);
  options.places = {{"allow-target", "/a.conf:7,9"},
                    {"max-clients", "command line"},
                    {"max-run-time", "/a.conf:8"}};
  const GuardRails rails = MakeGuardRails(options);
  EXPECT_EQ(rails.target_rule, "--allow-target=10.0.0.0/8:3306,unix:* (/a.conf:7,9)");
  EXPECT_EQ(rails.max_clients, 100u);
  EXPECT_EQ(rails.max_clients_rule, "--max-clients=100");
  EXPECT_EQ(rails.max_run_time_ns, int64_t{8} * 3600 * 1'000'000'000);
  EXPECT_EQ(rails.max_run_time_rule, "--max-run-time=8h (/a.conf:8)");

  SqlTarget target;
  target.host = "10.0.0.7";
  EXPECT_EQ(rails.admit_target(&target), absl::OkStatus());
  EXPECT_THAT(target.addresses, testing::ElementsAre("10.0.0.7"));
  target.host = "192.168.1.5";
  EXPECT_EQ(rails.admit_target(&target),
            absl::PermissionDeniedError(absl::StrCat("refuses the target 192.168.1.5:3306: ",
                                                     rails.target_rule, " does not include it")));
  // The client library's own default.
  EXPECT_EQ(rails.admit_target(&(target = SqlTarget())), absl::OkStatus());
  EXPECT_EQ(target.socket.front(), '/');
}

// Its libraries would run in the agent.
TEST(AgentGuardRailsTest, LibrariesComeFromNowhereElseThanTheOwnerSays) {
  SqlTarget target;
  target.plugin_dir = "/tmp/x";
  AgentOptions options;
  EXPECT_EQ(MakeGuardRails(options).admit_target(&target),
            absl::PermissionDeniedError(
                "refuses --plugin-dir=/tmp/x: it is read by the agent itself, whose owner allows "
                "such directories with --allow-library-dir=DIR"));
  options.allow_library_dir = {"/usr/lib/plugin"};
  options.places = {{"allow-library-dir", "/a.conf:7"}};
  EXPECT_EQ(MakeGuardRails(options).admit_target(&target),
            absl::PermissionDeniedError(
                "refuses --plugin-dir=/tmp/x: --allow-library-dir=/usr/lib/plugin (/a.conf:7) does "
                "not name it, letter by letter"));
  target.plugin_dir = "/usr/lib/plugin";
  EXPECT_EQ(MakeGuardRails(options).admit_target(&target), absl::OkStatus());
}

// A run with them would show the agent's identity to a database.
TEST(AgentGuardRailsTest, OwnFilesAreForNoRun) {
  AgentOptions options;
  options.tls.key = "/proc/self/exe";
  options.tls.certificate = "/proc/version";
  options.token_file = "/proc/stat";
  const GuardRails rails = MakeGuardRails(options);
  for (const auto& [path, option] :
       {std::pair("/proc/self/../self/exe", "--tls-key"), std::pair("/proc/version", "--tls-cert"),
        std::pair("/proc/stat", "--token-file")}) {
    SqlTarget target;
    target.tls.key = path;
    EXPECT_EQ(rails.admit_target(&target),
              absl::PermissionDeniedError(
                  absl::StrCat("refuses --ssl-key=", path, ": it is the agent's own (", option,
                               "), which no run may use: give runs a file of their own")));
  }
}

TEST(AgentGuardRailsTest, LongListsAreCutInMessages) {
  AgentOptions options;
  for (int i = 0; i < 100; ++i) options.allow_target.push_back(absl::StrCat("db", i, ":3306"));
  const GuardRails rails = MakeGuardRails(options);
  EXPECT_LT(rails.target_rule.size(), 230u);
  EXPECT_THAT(rails.target_rule, testing::EndsWith("..."));
}

}  // namespace
}  // namespace dslap
