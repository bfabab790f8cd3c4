#include "controller/report/progress_display.h"

#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace dslap {
namespace {

using Mode = ProgressDisplay::Mode;
using Phase = RunProgress::Phase;

constexpr int64_t kSecond = 1'000'000'000;
constexpr size_t kWide = 200;

RunProgress Running(int64_t elapsed_ns, uint64_t statements) {
  RunProgress progress;
  progress.phase = Phase::kRunning;
  progress.engine = "innodb";
  progress.clients = 100;
  progress.case_number = 2;
  progress.cases = 4;
  progress.round_number = 1;
  progress.rounds = 3;
  progress.elapsed_ns = elapsed_ns;
  progress.connected = 100;
  progress.statements = statements;
  progress.planned = 100'000;
  return progress;
}

RunProgress In(Phase phase) {
  RunProgress progress = Running(0, 0);
  progress.phase = phase;
  return progress;
}

TEST(FormatProgressTest, EveryPhase) {
  EXPECT_EQ(FormatProgress(Running(12 * kSecond, 34'500), 2875.4, kWide),
            "case 2/4, innodb, 100 clients, round 1/3: 12 s, 34500 of 100000 statements, 2875/s, "
            "100 connected, 0 errors");
  EXPECT_EQ(FormatProgress(In(Phase::kSetUp), 0, kWide),
            "case 2/4, innodb, 100 clients, round 1/3: setting up");
  RunProgress connecting = In(Phase::kConnecting);
  connecting.connected = 57;
  EXPECT_EQ(FormatProgress(connecting, 0, kWide),
            "case 2/4, innodb, 100 clients, round 1/3: connecting, 57 of 100 clients connected");
  EXPECT_EQ(FormatProgress(In(Phase::kTearDown), 0, kWide),
            "case 2/4, innodb, 100 clients, round 1/3: tearing down");
  EXPECT_EQ(FormatProgress(In(Phase::kPreSystem), 0, kWide),
            "case 2/4, innodb, 100 clients, round 1/3: running the command of --pre-system");
  EXPECT_EQ(FormatProgress(In(Phase::kPostSystem), 0, kWide),
            "case 2/4, innodb, 100 clients, round 1/3: running the command of --post-system");
}

TEST(FormatProgressTest, LeavesOutWhatThereIsOnlyOneOf) {
  RunProgress progress = Running(kSecond, 1);
  progress.engine = "";
  progress.cases = progress.rounds = progress.clients = 1;
  progress.connected = progress.errors = progress.planned = 1;
  EXPECT_EQ(FormatProgress(progress, 1, kWide),
            "1 client: 1 s, 1 of 1 statement, 1/s, 1 connected, 1 error");
}

TEST(FormatProgressTest, BeforeTheFirstCase) {
  EXPECT_EQ(FormatProgress(RunProgress(), 0, kWide), "setting up");
}

TEST(FormatProgressTest, FitsTheTerminal) {
  const RunProgress progress = Running(12 * kSecond, 34'500);
  const std::string whole = FormatProgress(progress, 2875, kWide);
  EXPECT_EQ(FormatProgress(progress, 2875, whole.size()), whole);
  const std::string what = "12 s, 34500 of 100000 statements, 2875/s, 100 connected, 0 errors";
  EXPECT_EQ(FormatProgress(progress, 2875, whole.size() - 1), what);
  EXPECT_EQ(FormatProgress(progress, 2875, 79), what);
  EXPECT_EQ(FormatProgress(progress, 2875, 20), "12 s, 34500 of 10000");
  EXPECT_EQ(FormatProgress(progress, 2875, 0), "");
}

TEST(FormatProgressTest, EngineCannotCommandTheTerminal) {
  RunProgress progress = In(Phase::kSetUp);
  progress.engine = "a\rb\x1b";
  EXPECT_EQ(FormatProgress(progress, 0, kWide),
            "case 2/4, a b\\x1b, 100 clients, round 1/3: setting up");
}

TEST(ProgressModeTest, ChoosesItsMode) {
  EXPECT_EQ(ProgressDisplay::Choose(false, true), Mode::kLive);
  EXPECT_EQ(ProgressDisplay::Choose(false, false), Mode::kPlain);
  EXPECT_EQ(ProgressDisplay::Choose(true, true), Mode::kNone);
  EXPECT_EQ(ProgressDisplay::Choose(true, false), Mode::kNone);
}

class ProgressDisplayTest : public testing::Test {
 protected:
  ProgressDisplay Make(Mode mode) {
    return ProgressDisplay(
        mode, [this] { return columns_; }, &out_);
  }
  std::string Take() {
    std::string text = out_.str();
    out_.str("");
    return text;
  }

  size_t columns_ = 80;
  std::ostringstream out_;
};

TEST_F(ProgressDisplayTest, LiveRedrawsInPlaceAndClears) {
  ProgressDisplay display = Make(Mode::kLive);
  display.Update(In(Phase::kSetUp), 0);
  EXPECT_EQ(Take(), "\rcase 2/4, innodb, 100 clients, round 1/3: setting up\x1b[K");
  display.Update(Running(kSecond, 2000), kSecond);
  EXPECT_EQ(Take(), "\r1 s, 2000 of 100000 statements, 2000/s, 100 connected, 0 errors\x1b[K");
  display.Update(Running(2 * kSecond, 5000), 2 * kSecond);
  EXPECT_EQ(Take(), "\r2 s, 5000 of 100000 statements, 3000/s, 100 connected, 0 errors\x1b[K");
  display.Clear();
  EXPECT_EQ(Take(), "\r\x1b[K");
  display.Clear();
  EXPECT_EQ(Take(), "");
}

TEST_F(ProgressDisplayTest, LiveLeavesTheLastColumnFreeAndFollowsTheWidth) {
  ProgressDisplay display = Make(Mode::kLive);
  columns_ = 11;
  display.Update(Running(0, 0), 0);
  EXPECT_EQ(Take(), "\r0 s, 0 of \x1b[K");
  columns_ = 6;
  display.Update(Running(kSecond, 0), kSecond);
  EXPECT_EQ(Take(), "\r1 s, \x1b[K");
  columns_ = 0;
  display.Update(Running(2 * kSecond, 0), 2 * kSecond);
  EXPECT_EQ(Take(), "\r\x1b[K");
}

TEST_F(ProgressDisplayTest, LiveDoesNotRedrawForEveryAgent) {
  ProgressDisplay display = Make(Mode::kLive);
  display.Update(Running(0, 0), 0);
  Take();
  display.Update(Running(1, 1), kSecond / 100);
  EXPECT_EQ(Take(), "");
  display.Update(In(Phase::kTearDown), kSecond / 50);  // another step is shown at once
  EXPECT_EQ(Take(), "\rcase 2/4, innodb, 100 clients, round 1/3: tearing down\x1b[K");
}

TEST_F(ProgressDisplayTest, RateStartsAnewWithEachRound) {
  ProgressDisplay display = Make(Mode::kLive);
  display.Update(Running(4 * kSecond, 8000), 4 * kSecond);
  Take();
  RunProgress next = Running(2 * kSecond, 100);
  next.round_number = 2;
  display.Update(next, 9 * kSecond);
  EXPECT_EQ(Take(), "\r2 s, 100 of 100000 statements, 50/s, 100 connected, 0 errors\x1b[K");
}

TEST_F(ProgressDisplayTest, DestroyingItLeavesAClearLine) {
  {
    ProgressDisplay display = Make(Mode::kLive);
    display.Update(In(Phase::kSetUp), 0);
    Take();
  }
  EXPECT_EQ(Take(), "\r\x1b[K");
}

TEST_F(ProgressDisplayTest, PlainIsQuietForShortRounds) {
  ProgressDisplay display = Make(Mode::kPlain);
  for (int64_t second = 0; second < 20; second += 4) {
    RunProgress progress = Running(0, 0);
    progress.round_number = static_cast<uint64_t>(second);
    display.Update(progress, second * kSecond);
    display.Update(progress, (second + 3) * kSecond);
  }
  display.Clear();
  EXPECT_EQ(Take(), "");
}

TEST_F(ProgressDisplayTest, PlainPrintsALineEveryFiveSeconds) {
  ProgressDisplay display = Make(Mode::kPlain);
  columns_ = 10;  // a log file has no width
  for (int64_t second = 0; second <= 11; ++second) {
    display.Update(Running(second * kSecond, static_cast<uint64_t>(1000 * second)),
                   100 * kSecond + second * kSecond);
  }
  EXPECT_EQ(Take(),
            "dslap: case 2/4, innodb, 100 clients, round 1/3: 5 s, 5000 of 100000 statements, "
            "1000/s, 100 connected, 0 errors\n"
            "dslap: case 2/4, innodb, 100 clients, round 1/3: 10 s, 10000 of 100000 statements, "
            "1000/s, 100 connected, 0 errors\n");
  display.Clear();
  EXPECT_EQ(Take(), "");
}

TEST_F(ProgressDisplayTest, NoneIsSilent) {
  ProgressDisplay display = Make(Mode::kNone);
  display.Update(In(Phase::kSetUp), 0);
  display.Update(Running(9 * kSecond, 1), 9 * kSecond);
  display.Clear();
  EXPECT_EQ(Take(), "");
}

TEST(ProgressDisplayCommandsTest, HaveTheTerminalForThemselves) {
  std::ostringstream out;
  ProgressDisplay display(
      Mode::kLive, [] { return kWide; }, &out);
  display.Update(In(Phase::kSetUp), 0);
  out.str("");
  display.Update(In(Phase::kPreSystem), kSecond);
  EXPECT_EQ(out.str(), "\r\x1b[K");
  out.str("");
  display.Update(In(Phase::kPreSystem), 2 * kSecond);
  EXPECT_EQ(out.str(), "");
  display.Update(In(Phase::kConnecting), 3 * kSecond);
  EXPECT_NE(out.str(), "");
}

TEST(ProgressDisplayCommandsTest, AreToldOfInPlainLines) {
  std::ostringstream out;
  ProgressDisplay display(
      Mode::kPlain, [] { return kWide; }, &out);
  display.Update(In(Phase::kPreSystem), 0);
  display.Update(In(Phase::kPreSystem), 5 * kSecond);
  EXPECT_EQ(out.str(),
            "dslap: case 2/4, innodb, 100 clients, round 1/3: running the command of "
            "--pre-system\n");
}

}  // namespace
}  // namespace dslap
