#include "agent/guard/target_guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace dslap {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Name service of the tests; counts what it is asked.
class TargetGuardTest : public testing::Test {
 protected:
  absl::Status Admit(const std::vector<std::string>& rules, SqlTarget* target) {
    std::vector<TargetRule> parsed;
    for (const std::string& rule : rules) parsed.push_back(ParseTargetRule(rule).value());
    const TargetGuard guard(
        parsed, "--allow-target=RULES (/a.conf:7)",
        [this](const std::string& host) -> absl::StatusOr<std::vector<std::string>> {
          ++asked_[host];
          if (ParseIpAddress(host).has_value()) return std::vector<std::string>{host};
          const auto found = hosts_.find(host);
          if (found == hosts_.end()) return absl::NotFoundError("Name or service not known");
          return found->second;
        },
        "/run/default.sock");
    return guard.Admit(target);
  }

  std::map<std::string, std::vector<std::string>> hosts_;
  std::map<std::string, int> asked_;
};

SqlTarget Host(const std::string& host, uint32_t port = 3306) {
  SqlTarget target;
  target.host = host;
  target.port = port;
  return target;
}

TEST_F(TargetGuardTest, AnAddressIsBoundToItself) {
  SqlTarget target = Host("10.0.0.7");
  EXPECT_EQ(Admit({"10.0.0.0/8:3306"}, &target), absl::OkStatus());
  EXPECT_THAT(target.addresses, ElementsAre("10.0.0.7"));
  EXPECT_EQ(target.host, "10.0.0.7");
}

TEST_F(TargetGuardTest, RefusalNamesTargetAndRule) {
  SqlTarget target = Host("192.168.1.5");
  EXPECT_EQ(Admit({"10.0.0.0/8:3306"}, &target),
            absl::PermissionDeniedError("refuses the target 192.168.1.5:3306: "
                                        "--allow-target=RULES (/a.conf:7) does not include it"));
  EXPECT_THAT(target.addresses, IsEmpty());
  target = Host("10.0.0.7", 22);
  EXPECT_EQ(Admit({"10.0.0.0/8:3306"}, &target),
            absl::PermissionDeniedError("refuses the target 10.0.0.7:22: "
                                        "--allow-target=RULES (/a.conf:7) does not include it"));
}

TEST_F(TargetGuardTest, ANameCountsByItsAddresses) {
  hosts_["friendly.example"] = {"169.254.169.254"};
  SqlTarget target = Host("friendly.example");
  EXPECT_EQ(
      Admit({"10.0.0.0/8:3306"}, &target),
      absl::PermissionDeniedError("refuses the target friendly.example:3306 (169.254.169.254): "
                                  "--allow-target=RULES (/a.conf:7) does not include it"));
  hosts_["friendly.example"] = {"10.0.0.7"};
  EXPECT_EQ(Admit({"10.0.0.0/8:3306"}, &target), absl::OkStatus());
  EXPECT_THAT(target.addresses, ElementsAre("10.0.0.7"));
  EXPECT_EQ(target.host, "friendly.example");
}

TEST_F(TargetGuardTest, OnlyTheAllowedAddressesOfANameAreUsed) {
  hosts_["db"] = {"fd00::7", "192.168.1.5", "10.0.0.7"};
  SqlTarget target = Host("db");
  EXPECT_EQ(Admit({"10.0.0.0/8:3306", "[fd00::]/8:*"}, &target), absl::OkStatus());
  EXPECT_THAT(target.addresses, ElementsAre("fd00::7", "10.0.0.7"));
}

TEST_F(TargetGuardTest, ANameIsLookedUpOnceAndMeansTheSameInRuleAndTarget) {
  hosts_["db.example"] = {"10.0.0.7"};
  SqlTarget target = Host("DB.example");
  hosts_["DB.example"] = {"10.0.0.7"};
  EXPECT_EQ(Admit({"db.example:3306"}, &target), absl::OkStatus());
  EXPECT_THAT(target.addresses, ElementsAre("10.0.0.7"));
  EXPECT_EQ(asked_["DB.example"] + asked_["db.example"], 1);
}

TEST_F(TargetGuardTest, ANameInARuleStandsForItsAddresses) {
  hosts_["db.example"] = {"10.0.0.7"};
  SqlTarget target = Host("10.0.0.7");
  EXPECT_EQ(Admit({"db.example:3306"}, &target), absl::OkStatus());
  target = Host("10.0.0.8");
  EXPECT_EQ(Admit({"db.example:3306"}, &target).code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(Admit({"nowhere.example:3306"}, &target).code(), absl::StatusCode::kPermissionDenied);
}

TEST_F(TargetGuardTest, ATargetWithoutAnAddressIsSaid) {
  SqlTarget target = Host("db\n.example");
  EXPECT_EQ(Admit({"10.0.0.0/8:3306"}, &target),
            absl::FailedPreconditionError(
                "the target db\\n.example:3306 cannot be looked up here (Name or service not "
                "known), and --allow-target=RULES (/a.conf:7) is about addresses: correct the "
                "name, or give the address"));
}

TEST_F(TargetGuardTest, NoPortIsTheUsualOne) {
  SqlTarget target = Host("10.0.0.7", 0);
  EXPECT_EQ(Admit({"10.0.0.0/8:3306"}, &target), absl::OkStatus());
  EXPECT_EQ(target.port, 3306u);
}

TEST_F(TargetGuardTest, LocalhostOverTcpIsAName) {
  hosts_["localhost"] = {"::1", "127.0.0.1"};
  SqlTarget target = Host("localhost");
  target.transport = SqlTransport::kTcp;
  EXPECT_EQ(Admit({"127.0.0.0/8:3306"}, &target), absl::OkStatus());
  EXPECT_THAT(target.addresses, ElementsAre("127.0.0.1"));
  target = Host("");
  target.transport = SqlTransport::kTcp;
  EXPECT_EQ(Admit({"localhost:3306"}, &target), absl::OkStatus());
  EXPECT_THAT(target.addresses, ElementsAre("::1", "127.0.0.1"));
}

TEST_F(TargetGuardTest, SocketsCountByTheirPath) {
  SqlTarget target = Host("localhost");
  target.socket = "/run/mysqld/mysqld.sock";
  EXPECT_EQ(Admit({"unix:/run/mysqld/mysqld.sock"}, &target), absl::OkStatus());
  EXPECT_EQ(Admit({"*:*", "unix:/run/other.sock"}, &target),
            absl::PermissionDeniedError("refuses the target socket /run/mysqld/mysqld.sock: "
                                        "--allow-target=RULES (/a.conf:7) does not include it"));
  EXPECT_EQ(Admit({"unix:*"}, &target), absl::OkStatus());
  target = Host("");
  EXPECT_EQ(Admit({"unix:/run/default.sock"}, &target), absl::OkStatus());
  EXPECT_EQ(target.socket, "/run/default.sock");
}

// The client library goes over TCP when it is given a host, whatever the transport.
TEST_F(TargetGuardTest, AnAllowedSocketIsNoWayToAnotherHost) {
  SqlTarget target = Host("192.168.1.5");
  target.transport = SqlTransport::kSocket;
  target.socket = "/run/mysqld/mysqld.sock";
  EXPECT_EQ(Admit({"unix:/run/mysqld/mysqld.sock"}, &target), absl::OkStatus());
  EXPECT_EQ(target.host, "");
  EXPECT_EQ(target.transport, SqlTransport::kSocket);
}

}  // namespace
}  // namespace dslap
