#include "agent/service/connection_book.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::string Peer(int id) { return absl::StrCat("ipv4:10.0.0.9:", id); }

class ConnectionBookTest : public testing::Test {
 protected:
  void Add(int id, int64_t now_ns) { book_.Add(id, Peer(id), now_ns); }

  ConnectionBook book_{{.most_unused = 3, .longest_unused_ns = 100}};
};

TEST_F(ConnectionBookTest, UnusedOnesAreOverdueInTheOrderTheyCame) {
  EXPECT_EQ(book_.NextOverdueNs(), std::nullopt);
  Add(5, 10);
  Add(4, 11);
  EXPECT_EQ(book_.NextOverdueNs(), 110);
  EXPECT_THAT(book_.TakeOverdue(109), IsEmpty());
  EXPECT_THAT(book_.TakeOverdue(111), ElementsAre(5, 4));
  EXPECT_THAT(book_.TakeOverdue(500), IsEmpty()) << "each is given out once";
  EXPECT_EQ(book_.size(), 2U) << "it is there until it is removed";
}

TEST_F(ConnectionBookTest, CallBeginsTheTimeAnew) {
  Add(4, 0);
  book_.Called(Peer(4), 60);
  EXPECT_THAT(book_.TakeOverdue(159), IsEmpty());
  EXPECT_THAT(book_.TakeOverdue(160), ElementsAre(4));
  EXPECT_TRUE(book_.Remove(4)->called);
}

TEST_F(ConnectionBookTest, RunKeepsItsConnectionHoweverLongAndHoweverMany) {
  Add(4, 0);
  book_.Hold(Peer(4));
  EXPECT_EQ(book_.NextOverdueNs(), std::nullopt);
  for (int id = 5; id < 10; ++id) Add(id, 1);
  EXPECT_THAT(book_.TakeCrowd(), ElementsAre(5, 6));
  EXPECT_THAT(book_.TakeOverdue(1'000'000), UnorderedElementsAre(7, 8, 9));
  EXPECT_EQ(book_.TakeOldest(), std::nullopt);
  book_.Release(Peer(4), 1'000'000);
  EXPECT_THAT(book_.TakeOverdue(1'000'099), IsEmpty());
  EXPECT_THAT(book_.TakeOverdue(1'000'100), ElementsAre(4));
}

TEST_F(ConnectionBookTest, TwoRunsOverOneConnectionEndOneByOne) {
  Add(4, 0);
  book_.Hold(Peer(4));
  book_.Hold(Peer(4));
  book_.Release(Peer(4), 5);
  EXPECT_EQ(book_.NextOverdueNs(), std::nullopt);
  book_.Release(Peer(4), 6);
  EXPECT_EQ(book_.NextOverdueNs(), 106);
}

TEST_F(ConnectionBookTest, WatcherMayStayUntilItIsTheOldestOfACrowd) {
  Add(4, 0);
  book_.Watch(Peer(4));
  EXPECT_THAT(book_.TakeOverdue(1'000'000), IsEmpty());
  Add(5, 10);
  Add(6, 10);
  Add(7, 10);
  EXPECT_THAT(book_.TakeCrowd(), ElementsAre(4)) << "who has just come never goes for a watcher";
  EXPECT_EQ(book_.TakeOldest(), 5);
}

TEST_F(ConnectionBookTest, WatchThatEndsLeavesAConnectionAsUnusedAsBefore) {
  Add(4, 0);
  book_.Watch(Peer(4));
  EXPECT_EQ(book_.NextOverdueNs(), std::nullopt);
  book_.Unwatch(Peer(4));
  EXPECT_EQ(book_.NextOverdueNs(), 100) << "watching now and then does not keep a connection";
}

TEST_F(ConnectionBookTest, WhatAnybodyMayAskKeepsNoConnection) {
  Add(4, 0);
  book_.Asked(Peer(4));
  EXPECT_EQ(book_.NextOverdueNs(), 100);
  EXPECT_TRUE(book_.Remove(4)->called) << "but it is a call";
}

TEST_F(ConnectionBookTest, AddressThatIsUsedAgainMeansTheNewConnection) {
  book_.Add(4, Peer(1), 0);
  book_.Add(5, Peer(1), 1);
  EXPECT_FALSE(book_.Remove(4)->called);
  book_.Called(Peer(1), 2);
  EXPECT_TRUE(book_.Remove(5)->called);
  book_.Called(Peer(1), 3);
  EXPECT_FALSE(book_.Remove(5).has_value());
}

TEST_F(ConnectionBookTest, WhatWasTakenIsNeitherOverdueNorInTheCrowdAgain) {
  Add(4, 0);
  EXPECT_EQ(book_.TakeOldest(), 4);
  book_.Called(Peer(4), 5);
  EXPECT_EQ(book_.NextOverdueNs(), std::nullopt);
  EXPECT_TRUE(book_.Remove(4)->taken);
}

}  // namespace
}  // namespace dslap
