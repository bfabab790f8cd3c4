#include "controller/plan/stages.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Generated(LoadType type) {
  Options options;
  options.generate.enabled = true;
  options.generate.load_type = type;
  return PlanningStages(options);
}

// What both mysqlslap programs print with -vv.
TEST(PlanningStagesTest, AreThoseOfMysqlslap) {
  const char kCreate[] = "Building Create Statements for Auto";
  const char kQuery[] = "Building Query Statements for Auto";
  const char kEngines[] = "Parsing engines to use.";
  EXPECT_THAT(PlanningStages(Options()), ElementsAre(kEngines));
  EXPECT_THAT(Generated(LoadType::kMixed), ElementsAre(kCreate, kQuery, kEngines));
  EXPECT_THAT(Generated(LoadType::kUpdate), ElementsAre(kCreate, kQuery, kEngines));
  EXPECT_THAT(Generated(LoadType::kWrite),
              ElementsAre(kCreate, kQuery, "Generating INSERT Statements for Auto", kEngines));
  EXPECT_THAT(Generated(LoadType::kRead),
              ElementsAre(kCreate, kQuery, "Generating SELECT Statements for Auto", kEngines));
  EXPECT_THAT(
      Generated(LoadType::kKey),
      ElementsAre(kCreate, kQuery, "Generating SELECT for keys Statements for Auto", kEngines));
}

}  // namespace
}  // namespace dslap
