#include "agent/service/host_info.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <array>
#include <string>

namespace dslap {
namespace {

TEST(HostInfoTest, SaysWhatTheSystemSays) {
  const HostInfo info = ReadHostInfo();
  std::array<char, 256> name{};
  ASSERT_EQ(gethostname(name.data(), name.size()), 0);
  EXPECT_EQ(info.hostname, name.data());
  struct sysinfo system {};
  ASSERT_EQ(sysinfo(&system), 0);
  EXPECT_EQ(info.memory_bytes / (1 << 20), system.totalram * system.mem_unit / (1 << 20));
  rlimit files{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &files), 0);
  EXPECT_EQ(info.max_open_files, files.rlim_cur);
  EXPECT_GE(info.load_average, 0.0);
}

TEST(HostInfoTest, CoresAreThoseOfTheAffinityMask) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  EXPECT_EQ(ReadHostInfo().cores, static_cast<uint32_t>(CPU_COUNT(&before)));
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(ReadHostInfo().cores, 1u);
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
}

TEST(HostInfoTest, OpenFilesLimitIsRaisedToTheHardOne) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit low = before;
  low.rlim_cur = 64;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  EXPECT_EQ(ReadHostInfo().max_open_files, 64u);
  EXPECT_EQ(RaiseOpenFilesLimit(), before.rlim_max);
  EXPECT_EQ(ReadHostInfo().max_open_files, before.rlim_max);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

}  // namespace
}  // namespace dslap
