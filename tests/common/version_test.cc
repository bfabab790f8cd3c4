#include "common/version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace dslap {
namespace {

TEST(VersionTest, BuildIsThreeNumbers) {
  EXPECT_THAT(BuildVersion(), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

TEST(VersionTest, SameMajorIsCompatibleWhateverTheMinor) {
  v1::ProtocolVersion theirs = OwnProtocol();
  EXPECT_EQ(theirs.major(), kProtocolMajor);
  EXPECT_EQ(theirs.minor(), kProtocolMinor);
  EXPECT_EQ(CheckProtocol(theirs, "0.1.0", "agent a"), absl::OkStatus());
  theirs.set_minor(99);
  EXPECT_EQ(CheckProtocol(theirs, "0.9.0", "agent a"), absl::OkStatus());
}

TEST(VersionTest, RefusalNamesBothVersionsAndThePeer) {
  v1::ProtocolVersion theirs;
  theirs.set_major(2);
  theirs.set_minor(5);
  EXPECT_EQ(CheckProtocol(theirs, "3.4.5", "agent db-a:7527"),
            absl::FailedPreconditionError(
                "agent db-a:7527 speaks protocol 2.5 (build 3.4.5), this side 1.1 (build " +
                BuildVersion() + "): install the same major version on both"));
  // A peer that says nothing speaks version 0.
  EXPECT_EQ(CheckProtocol(v1::ProtocolVersion(), "", "x").code(),
            absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace dslap
