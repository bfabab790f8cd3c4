#include "common/server_connections.h"

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(ServerConnectionsTest, GoAsGapsAndComeBack) {
  const ConnectionMap connections = {{17, 40112}, {18, 40113}, {5'000'000'000, 0}};
  const v1::ServerConnections message = EncodeConnections(connections);
  EXPECT_THAT(message.id_gap(), ElementsAre(17, 1, 4'999'999'982));
  EXPECT_EQ(DecodeConnections(message), connections);
}

TEST(ServerConnectionsTest, WhatDoesNotFitIsLeftOut) {
  v1::ServerConnections message;
  for (const uint64_t gap : {uint64_t{0}, uint64_t{7}, uint64_t{1}, uint64_t{1}}) {
    message.add_id_gap(gap);
  }
  for (const uint32_t port : {1U, 70'000U, 3U}) message.add_client_port(port);
  EXPECT_THAT(DecodeConnections(message), ElementsAre(Pair(8, 3)));
}

TEST(ServerConnectionsTest, IdsThatOverflowEndTheList) {
  google::protobuf::RepeatedField<uint64_t> gaps;
  gaps.Add(UINT64_MAX);
  gaps.Add(1);
  EXPECT_THAT(DecodeIds(gaps), ElementsAre(UINT64_MAX));
  EXPECT_THAT(DecodeIds({}), IsEmpty());
}

}  // namespace
}  // namespace dslap
