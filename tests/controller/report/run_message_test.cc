#include "controller/report/run_message.h"

#include "gtest/gtest.h"
#include "tests/controller/report/sample_report.h"

namespace dslap {
namespace {

constexpr MessageStyle kTextShown = {.text_shown = true, .silent = false};
constexpr MessageStyle kNoText = {.text_shown = false, .silent = false};
constexpr MessageStyle kSilent = {.text_shown = false, .silent = true};

TEST(RunMessageTest, GoodRunSaysNothing) {
  EXPECT_EQ(RunMessage(LocalReport(), kTextShown), "");
  EXPECT_EQ(RunMessage(LocalReport(), kNoText), "");
  EXPECT_EQ(RunMessage(LocalReport(), kSilent), "");
}

TEST(RunMessageTest, FailureIsOneLineThatCannotCommandTheTerminal) {
  RunReport report = LocalReport();
  report.failure = absl::UnavailableError("agent a: connect: no\nroute \x1b[1m");
  EXPECT_EQ(RunMessage(report, kTextShown), "dslap: agent a: connect: no route \\x1b[1m\n");
  EXPECT_EQ(RunMessage(report, kSilent), "dslap: agent a: connect: no route \\x1b[1m\n");
}

TEST(RunMessageTest, WhatWasLeftBehindFollowsTheFailure) {
  RunReport report = LocalReport();
  report.failure = absl::AbortedError("a statement failed");
  report.tear_down = absl::InternalError("drop schema `s`: gone away");
  EXPECT_EQ(RunMessage(report, kTextShown),
            "dslap: a statement failed\n"
            "dslap: tear-down failed: drop schema `s`: gone away\n");
}

TEST(RunMessageTest, AgentLostInARunThatWentOn) {
  RunReport report = DistributedReport();
  report.failure = absl::OkStatus();
  EXPECT_EQ(RunMessage(report, kTextShown),
            "dslap: agent 192.168.100.12:7527 was lost: no sign of life for 10 s\n");
}

TEST(RunMessageTest, Interrupted) {
  RunReport report = LocalReport();
  report.interrupted = true;
  EXPECT_EQ(RunMessage(report, kTextShown),
            "dslap: interrupted: the report covers what was measured until then\n");
}

TEST(RunMessageTest, VerdictAndNotesThatNoReportHasShown) {
  RunReport report = LocalReport();
  report.verdict = Verdict::kDegraded;
  report.reasons = {"start skew"};
  report.notes = {"a note"};
  EXPECT_EQ(RunMessage(report, kTextShown), "");
  EXPECT_EQ(RunMessage(report, kNoText),
            "dslap: Verdict: DEGRADED: start skew\n"
            "dslap: note: a note\n");
  EXPECT_EQ(RunMessage(report, kSilent), "");  // it ends with 0
  report.exit_code = ExitCode::kFailures;
  EXPECT_EQ(RunMessage(report, kSilent), "dslap: Verdict: DEGRADED: start skew\n");
}

// The text report leaves out everything then, so its verdict and notes would be lost.
TEST(RunMessageTest, NoBlockNoReportToRelyOn) {
  RunReport report = LocalReport();
  report.cases.clear();
  report.verdict = Verdict::kInvalid;
  report.reasons = {"nothing was measured"};
  report.exit_code = ExitCode::kFailures;
  EXPECT_EQ(RunMessage(report, kTextShown), "dslap: Verdict: INVALID: nothing was measured\n");
}

}  // namespace
}  // namespace dslap
