#include "controller/debug_info.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::MatchesRegex;

// The form that mysqlslap of MariaDB 10.11 prints.
TEST(DebugInfoTest, IsInMysqlslapsForm) {
  rusage usage = {};
  usage.ru_utime = {1, 234'567};
  usage.ru_stime = {0, 45'000};
  usage.ru_maxrss = 6476;
  usage.ru_idrss = 1;
  usage.ru_minflt = 403;
  usage.ru_majflt = 2;
  usage.ru_nswap = 3;
  usage.ru_inblock = 4;
  usage.ru_oublock = 5;
  usage.ru_msgsnd = 6;
  usage.ru_msgrcv = 7;
  usage.ru_nsignals = 8;
  usage.ru_nvcsw = 33;
  usage.ru_nivcsw = 9;
  EXPECT_EQ(FormatDebugInfo(usage),
            "\n"
            "User time 1.23, System time 0.04\n"
            "Maximum resident set size 6476, Integral resident set size 1\n"
            "Non-physical pagefaults 403, Physical pagefaults 2, Swaps 3\n"
            "Blocks in 4 out 5, Messages in 6 out 7, Signals 8\n"
            "Voluntary context switches 33, Involuntary context switches 9\n");
}

TEST(DebugInfoTest, IsOfThisProcess) {
  EXPECT_THAT(DebugInfo(), MatchesRegex("\nUser time [0-9.]+, System time [0-9.]+\n"
                                        "Maximum resident set size [1-9][0-9]+, .*\n"
                                        "Non-physical pagefaults [1-9].*\n.*\n.*\n"));
}

}  // namespace
}  // namespace dslap
