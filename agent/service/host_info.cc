#include "agent/service/host_info.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <thread>

namespace dslap {
namespace {

uint32_t UsableCores() {
  cpu_set_t set;
  // Fails on hosts with more cores than cpu_set_t holds.
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return static_cast<uint32_t>(CPU_COUNT(&set));
  return std::thread::hardware_concurrency();
}

uint64_t OpenFilesLimit() {
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
}

}  // namespace

HostInfo ReadHostInfo() {
  HostInfo info;
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) == 0) info.hostname = name.data();
  info.cores = UsableCores();
  info.memory_bytes =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  info.max_open_files = OpenFilesLimit();
  if (getloadavg(&info.load_average, 1) != 1) info.load_average = 0;
  return info;
}

uint64_t RaiseOpenFilesLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  return OpenFilesLimit();
}

}  // namespace dslap
