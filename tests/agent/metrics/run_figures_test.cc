#include "agent/metrics/run_figures.h"

#include "gtest/gtest.h"

namespace dslap {
namespace {

RoundOutcome Outcome(uint64_t succeeded) {
  RoundOutcome outcome;
  outcome.opened_at_ns = 1;
  outcome.statements_succeeded = succeeded;
  outcome.statements_failed = 3;
  outcome.statements_interrupted = 2;
  outcome.reconnects = 1;
  outcome.connections_kept = 4;
  outcome.latency.Record(1'000'000);
  outcome.errors.Add({1213, "40001", "Deadlock"}, 2);
  outcome.errors.Add({2013, "HY000", "Lost connection"});
  return outcome;
}

uint64_t Errors(const RunFigures::Totals& totals, ErrorClass error) {
  return totals.errors[static_cast<size_t>(error)];
}

TEST(RunFiguresTest, RoundThatRunsIsCountedOnce) {
  RunFigures figures;
  figures.RunBegan();
  PrepareOutcome prepared;
  prepared.clients_asked = 5;
  prepared.clients_connected = 4;
  figures.RoundPrepared(prepared);
  EXPECT_TRUE(figures.Read().busy);
  EXPECT_EQ(figures.Read().clients, 5U);
  EXPECT_EQ(figures.Read().clients_connected, 4U);
  figures.RoundRunning({.statements = 60, .errors = 1, .clients_connected = 3});
  EXPECT_EQ(figures.Read().statements_succeeded, 60U);
  EXPECT_EQ(figures.Read().clients_connected, 3U);
  figures.RoundEnded(Outcome(100));
  figures.RoundRunning({.statements = 10});
  const RunFigures::Totals totals = figures.Read();
  EXPECT_EQ(totals.statements_succeeded, 110U);
  EXPECT_EQ(totals.statements_failed, 3U);
  EXPECT_EQ(totals.statements_interrupted, 2U);
  EXPECT_EQ(totals.rounds, 1U);
  EXPECT_EQ(totals.reconnects, 1U);
  EXPECT_EQ(totals.latency.count(), 1U);
  EXPECT_EQ(Errors(totals, ErrorClass::kRollback), 2U);
  EXPECT_EQ(Errors(totals, ErrorClass::kConnection), 1U);
}

TEST(RunFiguresTest, RunThatEndsLeavesNoClients) {
  RunFigures figures;
  figures.RunBegan();
  figures.RoundEnded(Outcome(1));
  EXPECT_EQ(figures.Read().clients_connected, 4U) << "kept from round to round";
  figures.RunEnded(absl::DeadlineExceededError("no message"));
  const RunFigures::Totals totals = figures.Read();
  EXPECT_FALSE(totals.busy);
  EXPECT_EQ(totals.clients_connected, 0U);
  EXPECT_EQ(totals.runs[static_cast<size_t>(RunEnd::kLeaseExpired)], 1U);
}

TEST(RunFiguresTest, RoundWhoseGateNeverOpenedIsNone) {
  RunFigures figures;
  figures.RoundEnded(RoundOutcome{});
  EXPECT_EQ(figures.Read().rounds, 0U);
}

TEST(RunFiguresTest, EndOfARunIsNamedByItsStatus) {
  EXPECT_EQ(NameOf(RunEndOf(absl::OkStatus())), "closed");
  EXPECT_EQ(NameOf(RunEndOf(absl::CancelledError())), "controller_gone");
  EXPECT_EQ(NameOf(RunEndOf(absl::DeadlineExceededError(""))), "lease_expired");
  EXPECT_EQ(NameOf(RunEndOf(absl::UnavailableError(""))), "shut_down");
  EXPECT_EQ(NameOf(RunEndOf(absl::PermissionDeniedError(""))), "run_time_up");
  EXPECT_EQ(NameOf(RunEndOf(absl::FailedPreconditionError(""))), "failed");
}

TEST(RunFiguresTest, ErrorsFallIntoFewClasses) {
  EXPECT_EQ(NameOf(ErrorClassOf({2999, "HYT00", ""})), "timeout");
  EXPECT_EQ(NameOf(ErrorClassOf({2003, "HY000", ""})), "connection");
  EXPECT_EQ(NameOf(ErrorClassOf({1040, "08004", ""})), "connection");
  EXPECT_EQ(NameOf(ErrorClassOf({1062, "23000", ""})), "constraint");
  EXPECT_EQ(NameOf(ErrorClassOf({1213, "40001", ""})), "rollback");
  EXPECT_EQ(NameOf(ErrorClassOf({1064, "42000", ""})), "syntax_or_access");
  EXPECT_EQ(NameOf(ErrorClassOf({1045, "28000", ""})), "syntax_or_access");
  EXPECT_EQ(NameOf(ErrorClassOf({1205, "HY000", ""})), "other");
  EXPECT_EQ(NameOf(ErrorClassOf({4711, "\"}\n", ""})), "other") << "whatever a server makes up";
}

}  // namespace
}  // namespace dslap
