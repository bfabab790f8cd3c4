#include "agent/guard/target_rule.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace dslap {
namespace {

bool Allows(const std::string& rule, const std::string& address, uint32_t port) {
  const TargetRule parsed = ParseTargetRule(rule).value();
  return parsed.AllowsPort(port) && parsed.AllowsAddress(ParseIpAddress(address).value());
}

TEST(TargetRuleTest, NetworksOfIpv4) {
  EXPECT_TRUE(Allows("10.0.0.0/8:3306", "10.255.3.4", 3306));
  EXPECT_FALSE(Allows("10.0.0.0/8:3306", "11.0.0.0", 3306));
  EXPECT_FALSE(Allows("10.0.0.0/8:3306", "10.0.0.1", 3307));
  EXPECT_TRUE(Allows("10.1.2.128/25:*", "10.1.2.129", 1));
  EXPECT_FALSE(Allows("10.1.2.128/25:*", "10.1.2.127", 65535));
  EXPECT_TRUE(Allows("0.0.0.0/0:3306", "192.168.1.1", 3306));
  EXPECT_TRUE(Allows("10.0.0.7:3306-3310", "10.0.0.7", 3310));
  EXPECT_FALSE(Allows("10.0.0.7:3306-3310", "10.0.0.7", 3311));
  EXPECT_FALSE(Allows("10.0.0.7:3306-3310", "10.0.0.6", 3306));
}

TEST(TargetRuleTest, NetworksOfIpv6) {
  EXPECT_TRUE(Allows("[fd00::]/8:3306", "fdff::1", 3306));
  EXPECT_FALSE(Allows("[fd00::]/8:3306", "fe00::1", 3306));
  EXPECT_TRUE(Allows("[::1]:*", "::1", 3306));
  EXPECT_FALSE(Allows("[::1]:*", "::2", 3306));
  EXPECT_TRUE(Allows("[fe80::]/10:*", "fe80::1%eth0", 3306));
}

TEST(TargetRuleTest, AnIpv4AddressInIpv6ClothesIsNotLetInByRulesForIpv6) {
  EXPECT_FALSE(Allows("[::]/0:*", "::ffff:169.254.169.254", 3306));
  EXPECT_FALSE(Allows("[::]/0:*", "169.254.169.254", 3306));
  EXPECT_FALSE(Allows("0.0.0.0/0:*", "fd00::1", 3306));
  EXPECT_TRUE(Allows("10.0.0.0/8:*", "::ffff:10.0.0.7", 3306));
  EXPECT_TRUE(Allows("[::ffff:10.0.0.7]:*", "10.0.0.7", 3306));
}

TEST(TargetRuleTest, AnyHost) {
  EXPECT_TRUE(Allows("*:3306", "203.0.113.9", 3306));
  EXPECT_TRUE(Allows("*:3306", "fd00::1", 3306));
  EXPECT_FALSE(Allows("*:3306", "203.0.113.9", 22));
  EXPECT_FALSE(ParseTargetRule("*:3306")->AllowsSocket("/run/mysqld/mysqld.sock"));
}

TEST(TargetRuleTest, NamesAreForWhoLooksThemUp) {
  const TargetRule rule = ParseTargetRule("DB.example:3306").value();
  EXPECT_EQ(rule.kind, TargetRule::Kind::kName);
  EXPECT_EQ(rule.name, "db.example");
  EXPECT_FALSE(rule.AllowsAddress(ParseIpAddress("10.0.0.7").value()));
  EXPECT_EQ(ParseTargetRule("db:1")->name, "db");
}

TEST(TargetRuleTest, Sockets) {
  const TargetRule rule = ParseTargetRule("unix:/run/mysqld/mysqld.sock").value();
  EXPECT_TRUE(rule.AllowsSocket("/run/mysqld/mysqld.sock"));
  EXPECT_FALSE(rule.AllowsSocket("/run/mysqld/../mysqld/mysqld.sock"));
  EXPECT_FALSE(rule.AllowsSocket("/run/mysqld/mysqld.sock2"));
  EXPECT_FALSE(rule.AllowsAddress(ParseIpAddress("10.0.0.7").value()));
  EXPECT_TRUE(ParseTargetRule("unix:*")->AllowsSocket("/tmp/x"));
}

TEST(TargetRuleTest, WhatIsNoRuleIsSaidWithItsCure) {
  const std::string ports =
      ": behind the last colon give a port, a range of ports (3306-3310), or * for all";
  const std::string host =
      ": that is no host: give an address or a network (10.0.0.0/8:3306, [fd00::]/8:3306), a "
      "name, or *";
  const std::pair<std::string, std::string> cases[] = {
      {"", "''" + ports},
      {"10.0.0.0/8", "'10.0.0.0/8'" + ports},
      {"[fd00::]", "'[fd00::]'" + ports},
      {"fd00::", "'fd00::'" + ports},
      {"db:0", "'db:0'" + ports},
      {"db:65536", "'db:65536'" + ports},
      {"db:3310-3306", "'db:3310-3306'" + ports},
      {"db:3306-", "'db:3306-'" + ports},
      {"db:+1", "'db:+1'" + ports},
      {":3306", "':3306'" + host},
      {"10.0.0:3306", "'10.0.0:3306'" + host},
      {"10.0.0.256:3306", "'10.0.0.256:3306'" + host},
      {"fd00::1:3306", "'fd00::1:3306'" + host},
      {"db/8:3306", "'db/8:3306'" + host},
      {"a b:3306", "'a b:3306'" + host},
      {"a\n:3306", "'a\\n:3306'" + host},
      {"[db]:3306", "'[db]:3306'" + host},
      {"[fd00::/8]:3306", "'[fd00::/8]:3306': write an IPv6 network as [fd00::]/8:3306"},
      {"10.0.0.0/33:3306", "'10.0.0.0/33:3306': behind the slash give the number of bits, 0 to 32"},
      {"10.0.0.0/:3306", "'10.0.0.0/:3306': behind the slash give the number of bits, 0 to 32"},
      {"[fd00::]/129:1", "'[fd00::]/129:1': behind the slash give the number of bits, 0 to 128"},
      {"10.0.0.7/8:3306",
       "'10.0.0.7/8:3306': the address goes on behind its first 8 bits: put zeros there, or give "
       "one address without /"},
      {"unix:mysqld.sock",
       "'unix:mysqld.sock': behind 'unix:' give the socket's path from / on, or *"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(ParseTargetRule(text).status(), absl::InvalidArgumentError(message));
    EXPECT_EQ(CheckTargetRule(text), absl::InvalidArgumentError(message));
  }
  EXPECT_EQ(CheckTargetRule("10.0.0.0/8:3306"), absl::OkStatus());
}

TEST(TargetRuleTest, OnlyNumbersAreAddresses) {
  EXPECT_FALSE(ParseIpAddress("localhost").has_value());
  EXPECT_FALSE(ParseIpAddress("127.1").has_value());
  EXPECT_FALSE(ParseIpAddress("0x7f.0.0.1").has_value());
  EXPECT_FALSE(ParseIpAddress("").has_value());
  EXPECT_TRUE(ParseIpAddress("127.0.0.1")->is_ipv4);
  EXPECT_TRUE(ParseIpAddress("::ffff:127.0.0.1")->is_ipv4);
  EXPECT_FALSE(ParseIpAddress("::1")->is_ipv4);
}

}  // namespace
}  // namespace dslap
