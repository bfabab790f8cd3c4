#include "agent/session/connection_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dslap {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ConnectionReportTest, TellsWhatIsNewSinceItWasToldLast) {
  ConnectionReport report;
  v1::Progress progress;
  EXPECT_TRUE(report.Tell({{1, 10}, {2, 20}}, &progress));
  EXPECT_EQ(DecodeConnections(progress.opened()), (ConnectionMap{{1, 10}, {2, 20}}));

  progress.Clear();
  EXPECT_TRUE(report.Tell({{2, 20}, {3, 30}}, &progress));
  EXPECT_EQ(DecodeConnections(progress.opened()), (ConnectionMap{{3, 30}}));
  EXPECT_THAT(DecodeIds(progress.closed_id_gap()), ElementsAre(1));
}

TEST(ConnectionReportTest, NoNewsIsSaidOnce) {
  ConnectionReport report;
  EXPECT_EQ(DecodeConnections(report.TellAll({{1, 10}})), (ConnectionMap{{1, 10}}));
  v1::Progress progress;
  EXPECT_FALSE(report.Tell({{1, 10}}, &progress));
  EXPECT_FALSE(progress.has_opened());
  EXPECT_THAT(progress.closed_id_gap(), IsEmpty());
}

// A server that was restarted counts from 1 again.
TEST(ConnectionReportTest, TheSameIdWithAnotherPortIsAnotherConnection) {
  ConnectionReport report;
  report.TellAll({{1, 10}});
  v1::Progress progress;
  EXPECT_TRUE(report.Tell({{1, 11}}, &progress));
  EXPECT_EQ(DecodeConnections(progress.opened()), (ConnectionMap{{1, 11}}));
  EXPECT_THAT(progress.closed_id_gap(), IsEmpty());
}

}  // namespace
}  // namespace dslap
