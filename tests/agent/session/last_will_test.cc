#include "agent/session/last_will.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_database.h"

namespace dslap {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

// Something may happen whenever it is asked: the will asks when it begins each question, and before
// it acts upon the answer of all but the first.
class EventfulClock final : public Clock {
 public:
  int64_t NowNs() override {
    ++asked_;
    if (on_asked_) on_asked_(asked_);
    return clock_.NowNs();
  }
  bool AwaitUntil(absl::Mutex* mu, const absl::Condition& condition, int64_t deadline_ns) override {
    return clock_.AwaitUntil(mu, condition, deadline_ns);
  }
  void Advance(absl::Duration by) { clock_.Advance(by); }
  void OnAsked(std::function<void(int)> on_asked) { on_asked_ = std::move(on_asked); }

 private:
  FakeClock clock_;
  int asked_ = 0;
  std::function<void(int)> on_asked_;
};

constexpr int kBeforeItActs = 3;

class LastWillTest : public testing::Test {
 protected:
  LastWillTest() {
    will_.set_only_if("IS IT OURS");
    will_.add_statements("DROP SCHEMA x");
    will_.set_statement_timeout_ns(1'000'000'000);
    will_.set_what("drop schema `x`");
  }

  std::string Outcome() {
    SessionScripts scripts(factory_.get());
    return CarryOut(
        will_, &scripts, &clock_,
        [this] {
          ++delays_;
          if (during_delay_) during_delay_();
        },
        [this] { return cut_; });
  }

  v1::LastWill will_;
  FakeDatabase database_;
  EventfulClock clock_;
  std::unique_ptr<SqlConnectionFactory> factory_ = database_.MakeFactory();
  int delays_ = 0;
  std::function<void()> during_delay_;
  std::string cut_;
};

TEST_F(LastWillTest, AsksAgainAfterTheDelayAndActs) {
  database_.Answer("IS IT OURS", {{"1"}});
  EXPECT_EQ(Outcome(), "last will: drop schema `x`: done");
  EXPECT_EQ(delays_, 1);
  EXPECT_THAT(database_.log(),
              ElementsAre("1 connect", "1 query IS IT OURS", "1 query DO 0", "1 query IS IT OURS",
                          "1 query DROP SCHEMA x", "1 close"));
}

TEST_F(LastWillTest, DoesNothingWithoutARowAndNeedNotWaitForThat) {
  EXPECT_EQ(Outcome(), "last will: drop schema `x`: not needed any more");
  EXPECT_EQ(delays_, 0);
  EXPECT_THAT(database_.log(), ElementsAre("1 connect", "1 query IS IT OURS", "1 close"));
}

TEST_F(LastWillTest, DoesNothingWhenASurvivorHasDoneItMeanwhile) {
  database_.Answer("IS IT OURS", {{"1"}});
  during_delay_ = [this] { database_.Answer("IS IT OURS", {}); };
  EXPECT_EQ(Outcome(), "last will: drop schema `x`: not needed any more");
  EXPECT_THAT(database_.log(), ElementsAre("1 connect", "1 query IS IT OURS", "1 query DO 0",
                                           "1 query IS IT OURS", "1 close"));
}

TEST_F(LastWillTest, SaysWhyItFailed) {
  database_.Answer("IS IT OURS", {{"1"}});
  database_.Fail("DROP SCHEMA x", {1044, "42000", "Access denied"});
  EXPECT_EQ(Outcome(), "last will: drop schema `x`: failed: error 1044/42000");
}

// It connected anew, perhaps to another server, and dropped there unasked.
TEST_F(LastWillTest, ActsOnlyOnTheConnectionThatAnswered) {
  database_.Answer("IS IT OURS", {{"1"}});
  clock_.OnAsked([this](int asked) {
    if (asked == kBeforeItActs) database_.DropConnections();
  });
  EXPECT_EQ(Outcome(), "last will: drop schema `x`: failed: server has gone away (2006/HY000)");
  EXPECT_THAT(database_.log(),
              ElementsAre("1 connect", "1 query IS IT OURS", "1 query DO 0", "1 query IS IT OURS"));
}

// An agent that was frozen after it had asked dropped the schema of a later run.
TEST_F(LastWillTest, AsksOnceMoreWhenTheAnswerIsOld) {
  database_.Answer("IS IT OURS", {{"1"}});
  clock_.OnAsked([this](int asked) {
    if (asked == kBeforeItActs) clock_.Advance(absl::Milliseconds(1001));
  });
  EXPECT_EQ(Outcome(), "last will: drop schema `x`: done");
  EXPECT_THAT(
      database_.log(),
      ElementsAre("1 connect", "1 query IS IT OURS", "1 query DO 0", "1 query IS IT OURS",
                  "1 query DO 0", "1 query IS IT OURS", "1 query DROP SCHEMA x", "1 close"));
}

TEST_F(LastWillTest, ActsOnAnAnswerOfASecond) {
  database_.Answer("IS IT OURS", {{"1"}});
  clock_.OnAsked([this](int asked) {
    if (asked == kBeforeItActs) clock_.Advance(absl::Seconds(1));
  });
  EXPECT_EQ(Outcome(), "last will: drop schema `x`: done");
  EXPECT_EQ(database_.log().size(), 6u);
}

TEST_F(LastWillTest, LeavesAServerAloneThatAnswersTooSlowly) {
  database_.Answer("IS IT OURS", {{"1"}});
  clock_.OnAsked([this](int) { clock_.Advance(absl::Seconds(2)); });
  EXPECT_EQ(Outcome(),
            "last will: drop schema `x`: not done: whether it is still needed takes too long to "
            "find out");
  EXPECT_THAT(database_.log(), Not(Contains("1 query DROP SCHEMA x")));
}

TEST_F(LastWillTest, CutBeforeItBeginsItAsksNothing) {
  cut_ = "agent is shutting down";
  EXPECT_EQ(Outcome(), "last will: drop schema `x`: not done: agent is shutting down");
  EXPECT_THAT(database_.log(), ElementsAre());
}

TEST_F(LastWillTest, CutDuringTheDelayItDoesNothingMore) {
  database_.Answer("IS IT OURS", {{"1"}});
  during_delay_ = [this] { cut_ = "agent is shutting down"; };
  EXPECT_EQ(Outcome(), "last will: drop schema `x`: not done: agent is shutting down");
  EXPECT_THAT(database_.log(), ElementsAre("1 connect", "1 query IS IT OURS", "1 close"));
}

TEST_F(LastWillTest, SaysWhatCutItsStatement) {
  database_.Answer("IS IT OURS", {{"1"}});
  database_.Fail("DROP SCHEMA x", {1317, "70100", "Query execution was interrupted"});
  clock_.OnAsked([this](int asked) {
    if (asked == kBeforeItActs) cut_ = "given up after 20 s";
  });
  EXPECT_EQ(Outcome(),
            "last will: drop schema `x`: failed: error 1317/70100: "
            "given up after 20 s");
}

// Whatever was begun is killed at the server when it is given up.
TEST_F(LastWillTest, StatementThatTimesOutIsKilledOnTheServer) {
  database_.Answer("IS IT OURS", {{"1"}});
  database_.TimeOut("DROP SCHEMA x");
  EXPECT_EQ(Outcome(),
            "last will: drop schema `x`: failed: given up after 1s without a complete answer "
            "(--query-timeout) (2999/HYT00)");
  EXPECT_THAT(database_.log(), Contains("2 query KILL CONNECTION 1"));
}

}  // namespace
}  // namespace dslap
