#include "controller/report/channels.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace dslap {
namespace {

const ChannelReport kTls13{false, "TLS_AES_256_GCM_SHA384", "TLSv1.3", 5};
const ChannelReport kPlain{false, "", "", 3};

TEST(ChannelsTest, OneWayIsDescribedWithoutANumber) {
  EXPECT_EQ(DescribeChannels({kTls13}), "TLS 1.3 (TLS_AES_256_GCM_SHA384)");
  EXPECT_EQ(DescribeChannels({kPlain}), "unencrypted");
  EXPECT_EQ(DescribeChannels({{true, "", "", 3}}), "Unix socket");
  EXPECT_EQ(DescribeChannels({{true, "TLS_AES_128_GCM_SHA256", "TLSv1.3", 3}}),
            "Unix socket, TLS 1.3 (TLS_AES_128_GCM_SHA256)");
  // A client library that does not say the version.
  EXPECT_EQ(DescribeChannels({{false, "ECDHE-RSA-AES256-GCM-SHA384", "", 3}}),
            "TLS (ECDHE-RSA-AES256-GCM-SHA384)");
}

TEST(ChannelsTest, SeveralWaysAreDescribedWithTheirClients) {
  EXPECT_EQ(DescribeChannels({kTls13, kPlain}),
            "5 TLS 1.3 (TLS_AES_256_GCM_SHA384), 3 unencrypted");
}

TEST(ChannelsTest, WhatAnAgentSendsIsMadeFitForATerminal) {
  EXPECT_EQ(DescribeChannels({{false, "\x1b[31m", "TLSv1.3", 1}}), "TLS 1.3 (\\x1b[31m)");
}

TEST(ChannelsTest, MergingAddsClientsAndSortsByThem) {
  std::vector<ChannelReport> channels = {kTls13};
  MergeChannels({kPlain, kTls13}, &channels);
  ASSERT_EQ(channels.size(), 2u);
  EXPECT_EQ(channels[0].clients, 10u);
  EXPECT_EQ(channels[1].clients, 3u);
  MergeChannels({{false, "", "", 8}}, &channels);
  EXPECT_EQ(channels[0].tls_cipher, "");
  EXPECT_EQ(channels[0].clients, 11u);
  // Another cipher is another way.
  MergeChannels({{false, "TLS_AES_128_GCM_SHA256", "TLSv1.3", 1}}, &channels);
  EXPECT_EQ(channels.size(), 3u);
}

}  // namespace
}  // namespace dslap
