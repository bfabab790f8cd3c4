#include "agent/session/run_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"

namespace dslap {
namespace {

using testing::HasSubstr;
using testing::Not;

SqlTarget Target(const std::string& host = "10.0.0.5") {
  SqlTarget target;
  target.host = host;
  target.port = 3306;
  target.user = "bench";
  target.password = Secret("secret");
  return target;
}

TEST(RunLogTest, OneLineForTheStartAndOneForTheEnd) {
  RunLog log({.peer = "ipv4:10.0.0.9:41234", .certificate = "controller"});
  log.Opened("r-17", "ann@db-a pid 17", Target(), 1'000'000'000);
  const std::string who =
      " id=r-17 controller=\"ann@db-a pid 17\" peer=ipv4:10.0.0.9:41234 certificate=controller "
      "target=10.0.0.5:3306 user=bench";
  EXPECT_EQ(log.StartLine(), absl::StrCat("event=run-started", who));
  log.RoundPrepared(100);
  log.RoundDone(5000, 2);
  log.RoundPrepared(50);
  log.RoundDone(300, 1);
  const std::string counts = " clients=100 rounds=2 statements=5300 errors=3";
  EXPECT_EQ(log.EndLine(absl::OkStatus(), 13'340'000'000),
            absl::StrCat("event=run", who, counts, " outcome=finished duration=12.340s"));
  EXPECT_EQ(log.EndLine(absl::UnavailableError("agent is shutting down"), 13'340'000'000),
            absl::StrCat("event=run", who, counts,
                         " outcome=stopped code=UNAVAILABLE reason=\"agent is shutting down\" "
                         "duration=12.340s"));
}

TEST(RunLogTest, OutcomesByWhoEndedTheRun) {
  RunLog log;
  log.Opened("r", "c", Target(), 0);
  const auto outcome = [&](const absl::Status& status) {
    const std::string line = log.EndLine(status, 0);
    const size_t begin = line.find("outcome=");
    return line.substr(begin, line.find(' ', begin) - begin);
  };
  EXPECT_EQ(outcome(absl::PermissionDeniedError("x")), "outcome=refused");
  EXPECT_EQ(outcome(absl::ResourceExhaustedError("x")), "outcome=refused");
  EXPECT_EQ(outcome(absl::UnavailableError("x")), "outcome=refused");
  log.StartLine();
  EXPECT_EQ(outcome(absl::OkStatus()), "outcome=finished");
  EXPECT_EQ(outcome(absl::CancelledError("x")), "outcome=lost-controller");
  EXPECT_EQ(outcome(absl::DeadlineExceededError("x")), "outcome=lost-controller");
  EXPECT_EQ(outcome(absl::PermissionDeniedError("x")), "outcome=stopped");
  EXPECT_EQ(outcome(absl::UnavailableError("x")), "outcome=stopped");
  EXPECT_EQ(outcome(absl::FailedPreconditionError("x")), "outcome=failed");
}

TEST(RunLogTest, AStreamWithoutARun) {
  const RunLog log({.peer = "ipv4:10.0.0.9:41234", .certificate = ""});
  EXPECT_EQ(log.EndLine(absl::InvalidArgumentError("Open.run_id is empty"), 5'000'000'000),
            "event=run id=- controller=- peer=ipv4:10.0.0.9:41234 certificate=- target=- user=- "
            "clients=0 rounds=0 statements=0 errors=0 outcome=refused code=INVALID_ARGUMENT "
            "reason=\"Open.run_id is empty\" duration=0.000s");
}

TEST(RunLogTest, TextFromTheWireCanForgeNeitherALineNorAField) {
  RunLog log({.peer = "", .certificate = "cn\" outcome=finished"});
  SqlTarget target = Target("host\r\nevent=run");
  target.user = "u\xc2\x9b[2J";
  log.Opened("r\nevent=run id=x outcome=finished", "a\x1b[2J", target, 0);
  EXPECT_EQ(log.StartLine(),
            "event=run-started id=\"r\\nevent=run id=x outcome=finished\" "
            "controller=\"a\\033[2J\" peer=- certificate=\"cn\\\" outcome=finished\" "
            "target=\"host\\r\\nevent=run:3306\" user=\"u\\302\\233[2J\"");
  EXPECT_THAT(log.EndLine(absl::InternalError("a\nb"), 0),
              HasSubstr(" code=INTERNAL reason=\"a\\nb\" "));
  EXPECT_EQ(log.WillLine("x\ny"),
            "event=last-will id=\"r\\nevent=run id=x outcome=finished\" outcome=\"x\\ny\"");
}

TEST(RunLogTest, LongTextIsCut) {
  RunLog log;
  log.Opened(std::string(10'000'000, 'r'), std::string(1000, '\n'), Target(), 0);
  const std::string line = log.StartLine();
  EXPECT_LT(line.size(), 3000u);
  EXPECT_THAT(line, HasSubstr(absl::StrCat("id=\"", std::string(512, 'r'), "...\" ")));
}

TEST(RunLogTest, PasswordIsInNoLine) {
  RunLog log;
  log.Opened("r", "c", Target(), 0);
  EXPECT_THAT(absl::StrCat(log.StartLine(), log.EndLine(absl::OkStatus(), 0)),
              Not(HasSubstr("secret")));
}

TEST(LogValueTest, PlainTextStandsWithoutQuotes) {
  EXPECT_EQ(LogValue("[fd00::1]:3306"), "[fd00::1]:3306");
  EXPECT_EQ(LogValue(""), "-");
  EXPECT_EQ(LogValue("-"), "\"-\"");
  EXPECT_EQ(LogValue("a b"), "\"a b\"");
  EXPECT_EQ(LogValue("a=b"), "\"a=b\"");
  EXPECT_EQ(LogValue("a\"b\\"), "\"a\\\"b\\\\\"");
}

}  // namespace
}  // namespace dslap
