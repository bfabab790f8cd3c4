#include "agent/session/last_will.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/fakes/fake_database.h"

namespace dslap {
namespace {

using testing::ElementsAre;

class LastWillTest : public testing::Test {
 protected:
  LastWillTest() {
    will_.set_only_if("IS IT OURS");
    will_.add_statements("DROP SCHEMA x");
    will_.set_statement_timeout_ns(1'000'000'000);
    will_.set_what("drop schema `x`");
  }

  std::string Outcome() {
    return CarryOut(will_, factory_.get(), [this] { ++delays_; });
  }

  v1::LastWill will_;
  FakeDatabase database_;
  std::unique_ptr<SqlConnectionFactory> factory_ = database_.MakeFactory();
  int delays_ = 0;
};

TEST_F(LastWillTest, AsksAgainAfterTheDelayAndActs) {
  database_.Answer("IS IT OURS", {{"1"}});
  EXPECT_EQ(Outcome(), "last will: drop schema `x`: done");
  EXPECT_EQ(delays_, 1);
  EXPECT_THAT(database_.log(),
              ElementsAre("1 connect", "1 query IS IT OURS", "1 query DO 0", "1 query IS IT OURS",
                          "1 query DO 0", "1 query DROP SCHEMA x", "1 close"));
}

TEST_F(LastWillTest, DoesNothingWithoutARowAndNeedNotWaitForThat) {
  EXPECT_EQ(Outcome(), "last will: drop schema `x`: not needed any more");
  EXPECT_EQ(delays_, 0);
  EXPECT_THAT(database_.log(), ElementsAre("1 connect", "1 query IS IT OURS", "1 close"));
}

TEST_F(LastWillTest, SaysWhyItFailed) {
  database_.Answer("IS IT OURS", {{"1"}});
  database_.Fail("DROP SCHEMA x", {1044, "42000", "Access denied"});
  EXPECT_EQ(Outcome(), "last will: drop schema `x`: failed: Access denied (1044/42000)");
}

}  // namespace
}  // namespace dslap
