#include "tests/support/stopped_process.h"

#include <signal.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

// The letter after the name, which may hold anything, in parentheses.
bool HasStopped(const std::filesystem::path& task) {
  std::ifstream file(task / "stat");
  const std::string stat((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const size_t name_end = stat.rfind(") ");
  // A thread that has ended meanwhile does not run either.
  return name_end == std::string::npos || stat[name_end + 2] == 'T';
}

bool AllHaveStopped(pid_t pid) {
  std::error_code error;
  for (const auto& task :
       std::filesystem::directory_iterator(absl::StrCat("/proc/", pid, "/task"), error)) {
    if (!HasStopped(task.path())) return false;
  }
  return !error;
}

}  // namespace

StoppedProcess::StoppedProcess(pid_t pid) : pid_(pid) {
  EXPECT_EQ(kill(pid, SIGSTOP), 0);
  const absl::Time deadline = absl::Now() + absl::Seconds(20);
  bool stopped = AllHaveStopped(pid);
  while (!stopped && absl::Now() < deadline) {
    absl::SleepFor(absl::Milliseconds(1));
    stopped = AllHaveStopped(pid);
  }
  EXPECT_TRUE(stopped);
}

void StoppedProcess::Continue() { EXPECT_EQ(kill(pid_, SIGCONT), 0); }

}  // namespace dslap
