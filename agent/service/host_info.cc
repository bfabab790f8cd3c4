#include "agent/service/host_info.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "absl/strings/str_cat.h"
#include "agent/service/thread_room.h"
#include "common/log.h"

namespace dslap {
namespace {

uint32_t UsableCores() {
  cpu_set_t set;
  // Fails on hosts with more cores than cpu_set_t holds.
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return static_cast<uint32_t>(CPU_COUNT(&set));
  return std::thread::hardware_concurrency();
}

rlimit FilesLimit() {
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit : rlimit{};
}

}  // namespace

HostInfo ReadHostInfo() {
  HostInfo info;
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) == 0) info.hostname = name.data();
  info.cores = UsableCores();
  info.memory_bytes =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const rlimit files = FilesLimit();
  info.max_open_files = files.rlim_cur;
  info.max_open_files_hard = files.rlim_max;
  info.open_files = OpenFiles();
  info.threads = ReadThreadRoom();
  info.local_ports = ReadLocalPorts();
  if (getloadavg(&info.load_average, 1) != 1) info.load_average = 0;
  return info;
}

uint64_t OpenFiles() {
  std::error_code error;
  uint64_t files = 0;
  std::filesystem::directory_iterator file("/proc/self/fd", error);
  for (; !error && file != std::filesystem::directory_iterator(); file.increment(error)) ++files;
  // One of them is the directory's own.
  return error ? 0 : files - 1;
}

uint64_t OpenFilesLimit() { return FilesLimit().rlim_cur; }

uint64_t RaiseOpenFilesLimit() {
  const rlimit before = FilesLimit();
  if (before.rlim_cur >= before.rlim_max) return before.rlim_cur;
  const rlimit raised{before.rlim_max, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &raised);
  const rlimit now = FilesLimit();
  if (now.rlim_cur != before.rlim_cur) {
    LogInfo(absl::StrCat("raised the limit of open files from ", before.rlim_cur, " to ",
                         now.rlim_cur, ", the hard limit"));
  }
  return now.rlim_cur;
}

}  // namespace dslap
