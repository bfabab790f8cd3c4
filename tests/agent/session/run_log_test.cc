#include "agent/session/run_log.h"

#include <gtest/gtest.h>

namespace dslap {
namespace {

TEST(RunLogTest, OneLineForTheStartAndOneForTheEnd) {
  RunLog log;
  log.Opened("r-17", "ann@db-a pid 17", "10.0.0.5:3306", 1'000'000'000);
  EXPECT_EQ(log.StartLine(), "run r-17 of ann@db-a pid 17 started: target 10.0.0.5:3306");
  log.RoundPrepared(100);
  log.RoundDone();
  log.RoundPrepared(50);
  log.RoundDone();
  EXPECT_EQ(log.EndLine(absl::OkStatus(), 13'340'000'000),
            "run r-17 of ann@db-a pid 17 ended after 12.3 s: target 10.0.0.5:3306, 2 rounds, at "
            "most 100 clients: closed by the controller");
  EXPECT_EQ(log.EndLine(absl::UnavailableError("agent is shutting down"), 13'340'000'000),
            "run r-17 of ann@db-a pid 17 ended after 12.3 s: target 10.0.0.5:3306, 2 rounds, at "
            "most 100 clients: UNAVAILABLE: agent is shutting down");
}

TEST(RunLogTest, Refused) {
  RunLog log;
  EXPECT_EQ(log.RefusedLine(absl::InvalidArgumentError("Open.run_id is empty")),
            "a stream without a run refused: INVALID_ARGUMENT: Open.run_id is empty");
  log.Opened("r-17", "ann", "localhost", 0);
  EXPECT_EQ(log.RefusedLine(absl::ResourceExhaustedError("agent is busy")),
            "run r-17 of ann refused: RESOURCE_EXHAUSTED: agent is busy");
}

TEST(RunLogTest, TextFromTheWireCannotForgeALine) {
  RunLog log;
  log.Opened("r\nx", "a\x1b[2J", "host\r\n", 0);
  EXPECT_EQ(log.StartLine(), "run r\\nx of a\\033[2J started: target host\\r\\n");
  EXPECT_EQ(log.RefusedLine(absl::InternalError("a\nb")),
            "run r\\nx of a\\033[2J refused: INTERNAL: a\\nb");
}

TEST(RunLogTest, ControllerWithoutAName) {
  RunLog log;
  log.Opened("r1", "", "localhost", 0);
  EXPECT_EQ(log.StartLine(), "run r1 of unknown started: target localhost");
}

}  // namespace
}  // namespace dslap
