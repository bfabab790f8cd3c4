#include "tests/support/stopped_threads.h"

#include <sys/ptrace.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace dslap {

StoppedThreads::StoppedThreads(pid_t pid, const std::string& name) {
  for (const auto& entry :
       std::filesystem::directory_iterator(absl::StrCat("/proc/", pid, "/task"))) {
    std::string its_name;
    std::getline(std::ifstream(entry.path() / "comm"), its_name);
    if (its_name != name) continue;
    const pid_t thread = std::atoi(entry.path().filename().c_str());
    if (ptrace(PTRACE_SEIZE, thread, nullptr, nullptr) != 0) {
      ADD_FAILURE() << "cannot trace thread " << thread << " (" << name << ")";
      continue;
    }
    threads_.push_back(thread);
    ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr);
    int status = 0;
    EXPECT_EQ(waitpid(thread, &status, __WALL), thread);
    EXPECT_TRUE(WIFSTOPPED(status));
  }
  EXPECT_FALSE(threads_.empty()) << "there is no thread " << name;
}

void StoppedThreads::Continue() {
  for (const pid_t thread : threads_) ptrace(PTRACE_DETACH, thread, nullptr, nullptr);
  threads_.clear();
}

}  // namespace dslap
