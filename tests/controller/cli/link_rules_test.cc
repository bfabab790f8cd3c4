#include "controller/cli/link_rules.h"

#include <string>
#include <vector>

#include "controller/cli/agent_list.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

constexpr char kMend[] =
    "give --tls-ca, --tls-cert and --tls-key (dslap-make-certs makes the files)";

std::string Problem(const Options& options) {
  return std::string(CheckLinks(options, options.agents).message());
}

Options WithAgents(const std::string& agents) {
  Options options;
  options.agents = ParseAgents(agents).value();
  return options;
}

TEST(LinkRulesTest, HalfOfWhatTlsNeedsIsNamed) {
  Options options;
  EXPECT_EQ(CheckLinkFiles(options), absl::OkStatus());
  options.link_tls.certificate = "c";
  EXPECT_EQ(CheckLinkFiles(options).message(), "--tls-cert without --tls-key: give both");
  options.link_tls.key = "k";
  EXPECT_EQ(CheckLinkFiles(options).message(),
            "--tls-cert without --tls-ca: the agents' certificates could not be checked");
  options.link_tls.ca = "ca";
  EXPECT_EQ(CheckLinkFiles(options), absl::OkStatus());
  options.link_tls.certificate = "";
  EXPECT_EQ(CheckLinkFiles(options).message(), "--tls-key without --tls-cert: give both");
}

TEST(LinkRulesTest, OtherHostsNeedTlsOrInsecure) {
  Options options = WithAgents("127.0.0.1,[::1],localhost");
  EXPECT_EQ(Problem(options), "");
  options = WithAgents("127.0.0.1,db-a");
  EXPECT_EQ(Problem(options),
            std::string("--agents: db-a:7527 is on another host, and what is sent there in plain "
                        "text can be read and changed on the way: ") +
                kMend + ", or --insecure if the network between is trusted");
  options.insecure = true;
  EXPECT_EQ(Problem(options), "");
  options.insecure = false;
  options.link_tls.ca = "ca";
  EXPECT_EQ(Problem(options), "");
}

TEST(LinkRulesTest, PlaceInAFileIsNamed) {
  Options options = WithAgents("10.0.0.1");
  options.agents[0].where = "hosts, line 2";
  EXPECT_EQ(Problem(options).substr(0, 60),
            "--agents: 10.0.0.1:7527 (hosts, line 2) is on another host, ");
}

TEST(LinkRulesTest, NamesToBeLookedUpAreJudgedLater) {
  EXPECT_EQ(Problem(WithAgents("dns:agents.example")), "");
}

TEST(LinkRulesTest, NoSecretTravelsInPlainText) {
  const std::string never = std::string(
                                " is never sent there in plain text, not even with "
                                "--insecure: ") +
                            kMend;
  Options options = WithAgents("localhost,db-a");
  options.insecure = true;
  options.ask_password = true;
  EXPECT_EQ(Problem(options), "--agents: db-a:7527 is on another host, and a password" + never +
                                  ", or use an account without a password");
  options.ask_password = false;
  options.target.password = Secret("x");
  EXPECT_EQ(Problem(options), "--agents: db-a:7527 is on another host, and a password" + never +
                                  ", or use an account without a password");
  options.target.password = Secret();
  options.token_file = "t";
  EXPECT_EQ(Problem(options), "--agents: db-a:7527 is on another host, and a token" + never);
  options.link_tls.ca = "ca";
  EXPECT_EQ(Problem(options), "");
}

TEST(LinkRulesTest, WhatTouchesNothingNeedsNothing) {
  Options options = WithAgents("db-a");
  options.only_print = true;
  EXPECT_EQ(Problem(options), "");
  options.only_print = false;
  options.print_plan = true;
  EXPECT_EQ(Problem(options), "");
}

}  // namespace
}  // namespace dslap
