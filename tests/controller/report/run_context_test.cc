#include "controller/report/run_context.h"

#include "common/version.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

TEST(RunContextTest, TakesWhatTheReportNeedsFromTheOptions) {
  Options options;
  options.command_line = "dslap -a";
  options.agents.emplace_back();
  options.insecure = true;
  options.generate.load_type = LoadType::kUpdate;
  options.ignored_errors = {1062};
  options.ignore_all_errors = true;
  const RunContext context = MakeRunContext(options, absl::FromUnixSeconds(1'714'564'800));
  EXPECT_EQ(context.build, BuildVersion());
  EXPECT_EQ(context.command_line, "dslap -a");
  EXPECT_EQ(context.started_at, "2024-05-01T12:00:00Z");
  EXPECT_EQ(context.load_type, "update");
  EXPECT_TRUE(context.insecure);
  EXPECT_TRUE(context.distributed);
  EXPECT_THAT(context.ignored_errors, testing::ElementsAre(1062));
  EXPECT_TRUE(context.ignore_all_errors);
}

TEST(RunContextTest, WithoutAgentsItIsNotDistributed) {
  EXPECT_FALSE(MakeRunContext(Options(), absl::UnixEpoch()).distributed);
}

TEST(RunContextTest, NamesEveryLoadType) {
  const auto name = [](LoadType type) {
    Options options;
    options.generate.load_type = type;
    return MakeRunContext(options, absl::UnixEpoch()).load_type;
  };
  EXPECT_EQ(MakeRunContext(Options(), absl::UnixEpoch()).load_type, "mixed");
  EXPECT_EQ(name(LoadType::kWrite), "write");
  EXPECT_EQ(name(LoadType::kKey), "key");
  EXPECT_EQ(name(LoadType::kRead), "read");
}

}  // namespace
}  // namespace dslap
