#include "controller/report/text_reporter.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "controller/report/terminal_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/controller/report/golden.h"
#include "tests/controller/report/sample_report.h"

namespace dslap {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Text(const RunReport& report, TextReporter::Style style = TextReporter::Style::kFull) {
  std::ostringstream out;
  TextReporter(style).Write(report, out);
  return out.str();
}

TEST(TextReporterTest, LocalRun) { EXPECT_TRUE(MatchesGolden(Text(LocalReport()), "local.txt")); }

TEST(TextReporterTest, DistributedRunWithEveryTrouble) {
  EXPECT_TRUE(MatchesGolden(Text(DistributedReport()), "distributed.txt"));
}

// The bytes that mariadb-slap 10.11 prints for the same figures.
TEST(TextReporterTest, ClassicIsMysqlslapsBlock) {
  EXPECT_EQ(Text(LocalReport(), TextReporter::Style::kClassic),
            "Benchmark\n"
            "\tAverage number of seconds to run all queries: 0.200 seconds\n"
            "\tMinimum number of seconds to run all queries: 0.190 seconds\n"
            "\tMaximum number of seconds to run all queries: 0.210 seconds\n"
            "\tNumber of clients running queries: 50\n"
            "\tAverage number of queries per client: 40\n"
            "\n");
}

TEST(TextReporterTest, ClassicHasOneBlockForEachCaseThatHasACompleteRound) {
  EXPECT_EQ(Text(DistributedReport(), TextReporter::Style::kClassic),
            "Benchmark\n"
            "\tRunning for engine myisam\n"
            "\tAverage number of seconds to run all queries: 0.200 seconds\n"
            "\tMinimum number of seconds to run all queries: 0.190 seconds\n"
            "\tMaximum number of seconds to run all queries: 0.210 seconds\n"
            "\tNumber of clients running queries: 50\n"
            "\tAverage number of queries per client: 40\n"
            "\n"
            "Benchmark\n"
            "\tRunning for engine innodb\n"
            "\tAverage number of seconds to run all queries: 0.250 seconds\n"
            "\tMinimum number of seconds to run all queries: 0.250 seconds\n"
            "\tMaximum number of seconds to run all queries: 0.250 seconds\n"
            "\tNumber of clients running queries: 48\n"
            "\tAverage number of queries per client: 27\n"
            "\n");
}

// Every line of the full block that is mysqlslap's comes first and is the same as in --classic.
TEST(TextReporterTest, FullBlockBeginsWithTheClassicOne) {
  std::string classic = Text(LocalReport(), TextReporter::Style::kClassic);
  classic.pop_back();  // the blank line at the block's end
  EXPECT_TRUE(absl::StartsWith(Text(LocalReport()), classic));
}

TEST(TextReporterTest, VerdictIsTheLastLine) {
  const std::vector<std::string> lines = absl::StrSplit(Text(DistributedReport()), '\n');
  ASSERT_GE(lines.size(), 2U);
  EXPECT_EQ(lines[lines.size() - 1], "");
  EXPECT_EQ(lines[lines.size() - 2],
            "Verdict: INVALID: agent 192.168.100.12:7527 was lost (no sign of life for 10 s); "
            "3 of 9 rounds ran to the end");
}

TEST(TextReporterTest, FitsEightyColumns) {
  const std::string text = Text(LocalReport());
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const size_t columns =
        absl::StartsWith(line, "\t") ? 7 + DisplayWidth(line) : DisplayWidth(line);
    EXPECT_LE(columns, 80U) << line;
  }
}

TEST(TextReporterTest, ServerMessagesCannotCommandTheTerminal) {
  const std::string text = Text(DistributedReport());
  EXPECT_THAT(text, HasSubstr("User '\\x1b[31mb\\xfc' has exceeded its limit"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(TextReporterTest, CutShortWithoutACompleteRoundSaysWhatTheSecondsAre) {
  RunReport report = LocalReport();
  CaseReport& one = report.cases[0];
  one.rounds_complete = 0;
  EXPECT_THAT(Text(report), HasSubstr("\tRounds: 0 of 2 ran to the end, 2 cut short (the seconds "
                                      "above are theirs)\n"));
}

TEST(TextReporterTest, NothingToTellOfAnyCaseIsNoReport) {
  RunReport report = LocalReport();
  report.cases.clear();
  report.verdict = Verdict::kInvalid;
  report.reasons = {"nothing was measured"};
  EXPECT_EQ(Text(report), "");
  report.cases.emplace_back();  // begun, but its set-up failed
  EXPECT_EQ(Text(report), "");
}

TEST(TextReporterTest, RoundWithALostAgentIsSaidToBeInNoFigure) {
  RunReport report = LocalReport();
  CaseReport& one = report.cases[0];
  one.rounds_planned = 4;
  one.rounds_left_out = 1;
  one.rounds_measured = 3;
  EXPECT_THAT(Text(report),
              HasSubstr("\tRounds: 2 of 4 ran to the end, 1 cut short (not in the seconds above), "
                        "1 with an agent lost in it (not in these figures)\n"));
}

TEST(TextReporterTest, MissingAgentHasALineWithoutFigures) {
  RunReport report = DistributedReport();
  report.cases[0].agents[1].missing = true;
  report.cases[0].agents[1].clients_asked = report.cases[0].agents[1].clients_connected = 0;
  EXPECT_THAT(Text(report),
              HasSubstr("\t  192.168.100.12:7527 MISSING        -           -          -        -"
                        "             -\n"));
}

}  // namespace
}  // namespace dslap
