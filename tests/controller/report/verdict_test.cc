#include "controller/report/verdict.h"

#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using testing::ElementsAreArray;

// One case of ten clients, two rounds of 1000 statements in one second each; all went well.
RunReport GoodReport() {
  RunReport report;
  report.cases_planned = 1;
  report.rounds_planned = 2;
  report.agents.emplace_back();
  report.agents[0].name = "a";
  CaseReport one;
  one.clients_asked = one.clients_connected = 10;
  one.rounds_planned = one.rounds_measured = one.rounds_complete = 2;
  RoundReport round;
  round.measured = round.complete = true;
  round.seconds = 1;
  round.clients_connected = 10;
  round.statements_planned = round.statements = 1000;
  one.rounds = {round, round};
  one.measured_seconds = 2;
  one.statements_planned = one.statements = 2000;
  one.agents.emplace_back();
  one.agents[0].name = "a";
  one.agents[0].cores = 2;
  report.cases.push_back(one);
  return report;
}

struct Row {
  std::string name;
  std::function<void(RunReport*)> change;
  Verdict verdict;
  ExitCode exit_code;
  std::vector<std::string> reasons;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class VerdictTableTest : public testing::TestWithParam<Row> {};

TEST_P(VerdictTableTest, Judges) {
  RunReport report = GoodReport();
  GetParam().change(&report);
  const Judgement judgement = Judge(report);
  EXPECT_EQ(judgement.verdict, GetParam().verdict);
  EXPECT_EQ(judgement.exit_code, GetParam().exit_code);
  EXPECT_THAT(judgement.reasons, ElementsAreArray(GetParam().reasons));
}

CaseReport& Case(RunReport* report) { return report->cases[0]; }

std::vector<Row> MeasurementRows() {
  return {
      {"Good", [](RunReport*) {}, Verdict::kValid, ExitCode::kValid, {}},
      {"NothingMeasured",
       [](RunReport* report) { report->cases.clear(); },
       Verdict::kInvalid,
       ExitCode::kFailures,
       {"nothing was measured"}},
      {"NoStatementSucceeded",
       [](RunReport* report) {
         Case(report).statements = 0;
         Case(report).failed = 2000;
         for (RoundReport& round : Case(report).rounds) std::swap(round.statements, round.failed);
         Case(report).ignored_errors.Add({1213, "40001", "deadlock"}, 2000);
       },
       Verdict::kInvalid,
       ExitCode::kFailures,
       {"no statement succeeded",
        "2000 of 2000 statements failed with ignored codes (1213/40001)"}},
      {"NoRoundComplete",
       [](RunReport* report) { Case(report).rounds_complete = 0; },
       Verdict::kInvalid,
       ExitCode::kFailures,
       {"0 of 2 rounds ran to the end"}},
      {"SomeRoundsMissing",
       [](RunReport* report) { report->rounds_planned = 3; },
       Verdict::kDegraded,
       ExitCode::kFailures,
       {"2 of 3 rounds ran to the end"}},
      {"AgentLost",
       [](RunReport* report) {
         report->agents[0].lost = true;
         report->agents[0].loss_reason = "reset";
       },
       Verdict::kInvalid,
       ExitCode::kAgentLost,
       {"agent a was lost (reset)"}},
      {"ServerCountedFewer",
       [](RunReport* report) {
         Case(report).counts.finding = CountFinding::kFewer;
         Case(report).counts.statements = 2000;
         Case(report).counts.server_commands = 1900;
       },
       Verdict::kInvalid,
       ExitCode::kInternal,
       {"the server's count: 100 commands fewer than dslap counted (1900 of 2000)"}},
      {"CountersOfAnotherServer",
       [](RunReport* report) { Case(report).counts.finding = CountFinding::kElsewhere; },
       Verdict::kDegraded,
       ExitCode::kValid,
       {"the server's count: not of this load: the server that answers has 0 connections and "
        "counted 0 commands and 0 new connections, dslap 0 and 0; is there a proxy or load "
        "balancer "
        "in between?"}},
      {"ServerRestarted",
       [](RunReport* report) { Case(report).counts.finding = CountFinding::kRestarted; },
       Verdict::kDegraded,
       ExitCode::kValid,
       {"the server's count: the server was restarted in the middle of a round"}},
      {"OtherTrafficAndWhatIsNotComparedAreFine",
       [](RunReport* report) {
         report->cases.push_back(Case(report));
         report->rounds_planned = 4;
         report->cases[0].counts.finding = CountFinding::kOtherTraffic;
         report->cases[1].counts.finding = CountFinding::kNotCompared;
       },
       Verdict::kValid,
       ExitCode::kValid,
       {}},
      {"Interrupted",
       [](RunReport* report) {
         report->interrupted = true;
         report->rounds_planned = 9;
       },
       Verdict::kDegraded,
       ExitCode::kInterrupted,
       {"interrupted: 2 of 9 rounds ran to the end"}},
      {"InterruptedBeforeAnyRoundWasComplete",
       [](RunReport* report) {
         report->interrupted = true;
         Case(report).rounds_complete = 0;
       },
       Verdict::kInvalid,
       ExitCode::kInterrupted,
       {"interrupted: 0 of 2 rounds ran to the end"}},
      {"EndedByTheDeadline",
       [](RunReport* report) {
         report->ended_by = "ended by --deadline=30s";
         report->rounds_planned = 9;
       },
       Verdict::kDegraded,
       ExitCode::kFailures,
       {"ended by --deadline=30s: 2 of 9 rounds ran to the end"}},
      {"EndedByTheDeadlineBeforeAnyRoundWasComplete",
       [](RunReport* report) {
         report->ended_by = "ended by --deadline=30s";
         Case(report).rounds_complete = 0;
       },
       Verdict::kInvalid,
       ExitCode::kFailures,
       {"ended by --deadline=30s: 0 of 2 rounds ran to the end"}},
      {"StoppedByAnError",
       [](RunReport* report) {
         report->stopped_by_error = true;
         report->failure = absl::AbortedError("no such table");
         report->failure_code = ExitCode::kFailures;
         Case(report).rounds_complete = 1;
         Case(report).failed = 1;
         Case(report).errors.Add({1146, "42S02", "no such table"}, 1);
       },
       Verdict::kDegraded,
       ExitCode::kFailures,
       {"stopped by an error: 1 of 2 rounds ran to the end",
        "1 failure in 2001 statements (1146/42S02)"}},
  };
}

std::vector<Row> FailureRows() {
  return {
      {"ClientsNotConnected",
       [](RunReport* report) {
         Case(report).clients_connected = 2;
         for (RoundReport& round : Case(report).rounds) round.clients_connected = 2;
         Case(report).connect_errors.Add({1226, "42000", "limit"}, 8);
       },
       Verdict::kDegraded,
       ExitCode::kFailures,
       {"8 of 10 clients did not connect (1226/42000)"}},
      {"ClientsRefusedBeforeAnyRound",
       [](RunReport* report) {
         Case(report).rounds = {RoundReport()};
         Case(report).rounds_measured = Case(report).rounds_complete = 0;
         Case(report).clients_connected = 0;
         Case(report).connect_errors.Add({1045, "28000", "denied"}, 10);
       },
       Verdict::kInvalid,
       ExitCode::kFailures,
       {"nothing was measured", "10 of 10 clients did not connect (1045/28000)"}},
      {"StatementsFailed",
       [](RunReport* report) {
         Case(report).failed = 4;
         Case(report).statements = 1996;
         Case(report).errors.Add({1146, "42S02", "no table"}, 3);
         Case(report).errors.Add({1064, "42000", "syntax"}, 1);
       },
       Verdict::kDegraded,
       ExitCode::kFailures,
       {"4 failures in 2000 statements (most often 1146/42S02)"}},
      {"StatementsNeverExecuted",
       [](RunReport* report) { Case(report).rounds[1].statements = 993; },
       Verdict::kDegraded,
       ExitCode::kFailures,
       {"7 of 2000 statements were never executed"}},
      {"FewIgnoredFailures",
       [](RunReport* report) {
         Case(report).failed = 20;
         Case(report).statements = 1980;
         Case(report).ignored_errors.Add({1213, "40001", "deadlock"}, 20);
       },
       Verdict::kValid,
       ExitCode::kValid,
       {}},
      {"ManyIgnoredFailures",
       [](RunReport* report) {
         Case(report).failed = 21;
         Case(report).statements = 1979;
         Case(report).ignored_errors.Add({1213, "40001", "deadlock"}, 21);
       },
       Verdict::kDegraded,
       ExitCode::kValid,
       {"21 of 2000 statements failed with ignored codes (1213/40001)"}},
      {"SkewAtTheLimit",
       [](RunReport* report) { Case(report).start_skew_ns = 20'000'000; },
       Verdict::kValid,
       ExitCode::kValid,
       {}},
      {"SkewAboveTheLimit",
       [](RunReport* report) { Case(report).start_skew_ns = 31'000'000; },
       Verdict::kDegraded,
       ExitCode::kValid,
       {"start skew 31.0 ms is above the limit of 20.0 ms"}},
      {"CpuBelowSaturation",
       [](RunReport* report) { Case(report).agents[0].process_cpu = 0.849; },
       Verdict::kValid,
       ExitCode::kValid,
       {}},
      {"CpuSaturated",
       [](RunReport* report) { Case(report).agents[0].process_cpu = 0.85; },
       Verdict::kDegraded,
       ExitCode::kValid,
       {"agent a used 85% of its 2 cores: the client side was the bottleneck"}},
      {"CpuOfACaseTooShortToJudge",
       [](RunReport* report) {
         Case(report).agents[0].process_cpu = 1.0;
         Case(report).measured_seconds = 0.099;
       },
       Verdict::kValid,
       ExitCode::kValid,
       {}},
  };
}

std::string RowName(const testing::TestParamInfo<Row>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Measurement, VerdictTableTest, testing::ValuesIn(MeasurementRows()),
                         RowName);
INSTANTIATE_TEST_SUITE_P(Failures, VerdictTableTest, testing::ValuesIn(FailureRows()), RowName);

TEST(VerdictTest, NamesTheWorstOfSeveralCases) {
  RunReport report = GoodReport();
  report.rounds_planned = 6;
  report.cases.assign(3, report.cases[0]);
  report.cases[1].engine = "innodb";
  report.cases[1].errors.Add({1146, "42S02", ""}, 5);
  report.cases[2].errors.Add({1146, "42S02", ""}, 2);
  EXPECT_THAT(Judge(report).reasons,
              testing::ElementsAre("5 failures in 2000 statements (1146/42S02) "
                                   "[innodb, 10 clients; and 1 other case]"));
}

RunReport ReportWithALoss() {
  RunReport report = GoodReport();
  report.agents[0].lost = true;
  report.agents[0].loss_reason = "gone";
  report.agents[0].lost_case = 1;
  report.agents[0].lost_round = 2;
  return report;
}

TEST(VerdictTest, LossIsInvalidWhereTheRunStopsForIt) {
  const Judgement judgement = Judge(ReportWithALoss());
  EXPECT_EQ(judgement.verdict, Verdict::kInvalid);
  EXPECT_THAT(judgement.reasons, testing::ElementsAre("agent a was lost (gone)"));
}

TEST(VerdictTest, LossIsDegradedWhereTheRunGoesOnAndEachCaseHasACompleteRound) {
  RunReport report = ReportWithALoss();
  report.goes_on_after_loss = true;
  Judgement judgement = Judge(report);
  EXPECT_EQ(judgement.verdict, Verdict::kDegraded);
  EXPECT_EQ(judgement.exit_code, ExitCode::kAgentLost);
  EXPECT_THAT(judgement.reasons, testing::ElementsAre("agent a was lost in round 2 (gone)"));

  report.agents[0].lost_round = 0;
  EXPECT_THAT(Judge(report).reasons,
              testing::ElementsAre("agent a was lost before the first round (gone)"));

  Case(&report).rounds_complete = 0;
  judgement = Judge(report);
  EXPECT_EQ(judgement.verdict, Verdict::kInvalid);
  EXPECT_EQ(judgement.exit_code, ExitCode::kAgentLost);
}

TEST(VerdictTest, LossIsInvalidWhenACaseWasNeverBegun) {
  RunReport report = ReportWithALoss();
  report.goes_on_after_loss = true;
  report.cases_planned = 2;
  const Judgement judgement = Judge(report);
  EXPECT_EQ(judgement.verdict, Verdict::kInvalid);
  EXPECT_EQ(judgement.reasons.front(), "agent a was lost in round 2 of case 1 (gone)");
}

TEST(VerdictTest, MissingAgentDegradesAndIsNoFailure) {
  RunReport report = GoodReport();
  report.agents[0].missing = true;
  report.agents[0].missing_reason = "busy";
  const Judgement judgement = Judge(report);
  EXPECT_EQ(judgement.verdict, Verdict::kDegraded);
  EXPECT_THAT(judgement.reasons, testing::ElementsAre("agent a is missing (busy)"));
  EXPECT_EQ(judgement.exit_code, ExitCode::kValid);
}

TEST(VerdictTest, ExitCodePrecedence) {
  RunReport report = GoodReport();
  const auto code = [&report] { return Judge(report).exit_code; };
  Case(&report).errors.Add({1146, "42S02", ""}, 1);
  EXPECT_EQ(code(), ExitCode::kFailures);
  report.interrupted = true;
  EXPECT_EQ(code(), ExitCode::kInterrupted);
  report.failure_code = ExitCode::kAgentUnavailable;
  EXPECT_EQ(code(), ExitCode::kAgentUnavailable);
  report.agents[0].lost = true;
  EXPECT_EQ(code(), ExitCode::kAgentLost);
  report.tear_down = absl::InternalError("schema left behind");
  EXPECT_EQ(code(), ExitCode::kSetUpFailed);
  report.failure_code = ExitCode::kInternal;
  EXPECT_EQ(code(), ExitCode::kInternal);
  report.failure_code = ExitCode::kUsage;
  EXPECT_EQ(code(), ExitCode::kUsage);
}

TEST(VerdictTest, CoordinatorsCodeCountsByItself) {
  RunReport report = GoodReport();
  for (const ExitCode expected :
       {ExitCode::kFailures, ExitCode::kInterrupted, ExitCode::kAgentUnavailable,
        ExitCode::kAgentLost, ExitCode::kSetUpFailed, ExitCode::kInternal, ExitCode::kUsage}) {
    report.failure_code = expected;
    EXPECT_EQ(Judge(report).exit_code, expected);
  }
}

TEST(VerdictTest, FailureWithoutACodeIsNeverASuccess) {
  RunReport report = GoodReport();
  report.failure = absl::UnknownError("?");
  EXPECT_EQ(Judge(report).exit_code, ExitCode::kInternal);
}

TEST(VerdictTest, SkewLimitDependsOnTheShortestRound) {
  RunReport report = GoodReport();
  const auto limit_ms = [&report](double first, double second) {
    Case(&report).rounds[0].seconds = first;
    Case(&report).rounds[1].seconds = second;
    return static_cast<double>(SkewLimitNs(Case(&report))) / 1e6;
  };
  EXPECT_DOUBLE_EQ(limit_ms(60, 30), 300);  // 1 %
  EXPECT_DOUBLE_EQ(limit_ms(2, 3), 20);
  EXPECT_DOUBLE_EQ(limit_ms(0.2, 3), 20);
  EXPECT_DOUBLE_EQ(limit_ms(0.1, 3), 10);  // 10 % of a short round
  EXPECT_DOUBLE_EQ(limit_ms(0.01, 3), 5);
  Case(&report).rounds[0].measured = false;
  EXPECT_DOUBLE_EQ(limit_ms(0.01, 3), 30);
}

TEST(VerdictTest, Line) {
  RunReport report = GoodReport();
  EXPECT_EQ(VerdictLine(report), "Verdict: VALID");
  report.verdict = Verdict::kDegraded;
  report.reasons = {"one \x1b[1m", "two"};
  EXPECT_EQ(VerdictLine(report), "Verdict: DEGRADED: one \\x1b[1m; two");
  report.verdict = Verdict::kInvalid;
  report.reasons = {"nothing was measured"};
  EXPECT_EQ(VerdictLine(report), "Verdict: INVALID: nothing was measured");
}

}  // namespace
}  // namespace dslap
