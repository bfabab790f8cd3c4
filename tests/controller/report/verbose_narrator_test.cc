#include "controller/report/verbose_narrator.h"

#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace dslap {
namespace {

std::string Told(int verbosity) {
  std::ostringstream out;
  std::ostringstream messages;
  VerboseNarrator narrator(verbosity, &out, &messages);
  narrator.Stage("Loading Pre-data");
  narrator.Statement("SELECT 1");
  narrator.Detail("connected!");
  return out.str();
}

TEST(VerboseNarratorTest, EachLevelTellsMore) {
  EXPECT_EQ(Told(0), "");
  EXPECT_EQ(Told(1), "");
  EXPECT_EQ(Told(2), "Loading Pre-data\n");
  EXPECT_EQ(Told(3), "Loading Pre-data\nSELECT 1;\nconnected!\n");
  EXPECT_EQ(Told(4), Told(3));
}

TEST(VerboseNarratorTest, WarningsAreMessagesHoweverQuiet) {
  std::ostringstream out;
  std::ostringstream messages;
  VerboseNarrator narrator(0, &out, &messages);
  narrator.Warning("agent a\x1b[2J is missing");
  EXPECT_EQ(out.str(), "");
  EXPECT_EQ(messages.str(), "dslap: warning: agent a\\x1b[2J is missing\n");
}

}  // namespace
}  // namespace dslap
