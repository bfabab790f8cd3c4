#include "agent/service/thread_room.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace dslap {
namespace {

namespace fs = std::filesystem;

// "" for a file that cannot be read.
std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream content;
  content << file.rdbuf();
  return std::move(content).str();
}

// Threads of all processes of the user, which is what RLIMIT_NPROC counts.
uint64_t ThreadsOfUser(uid_t user) {
  uint64_t threads = 0;
  std::error_code error;
  fs::directory_iterator process("/proc", error);
  for (; !error && process != fs::directory_iterator(); process.increment(error)) {
    struct stat owner {};
    const std::string path = process->path().string();
    if (path.find_first_of("0123456789") != path.rfind('/') + 1) continue;
    if (stat(path.c_str(), &owner) != 0 || owner.st_uid != user) continue;
    std::ifstream status(path + "/status");
    for (std::string line; std::getline(status, line);) {
      if (line.rfind("Threads:", 0) != 0) continue;
      uint64_t count = 0;
      std::istringstream(line.substr(8)) >> count;
      threads += count;
      break;
    }
  }
  return threads;
}

ThreadBound ReadUserBound() {
  ThreadBound bound{"RLIMIT_NPROC", std::nullopt};
  rlimit limit{};
  // The superuser is let through, as are others with the capabilities, which are not looked for:
  // they are as good as never without the superuser's number.
  if (geteuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) != 0) return bound;
  if (limit.rlim_cur == RLIM_INFINITY) return bound;
  bound.most = limit.rlim_cur;
  bound.used = ThreadsOfUser(getuid());
  return bound;
}

// The cgroup and those above it, each with a bound of its own.
void AddCgroupBounds(std::vector<ThreadBound>* bounds) {
  const std::string cgroups = ReadFile("/proc/self/cgroup");
  const size_t at = cgroups.find("0::/");
  if (at == std::string::npos) return;
  fs::path group = cgroups.substr(at + 3, cgroups.find('\n', at) - at - 3);
  for (;; group = group.parent_path()) {
    const std::string directory = absl::StrCat("/sys/fs/cgroup", group.string(), "/");
    bounds->push_back({"pids.max", ParseBound(ReadFile(directory + "pids.max")),
                       ParseBound(ReadFile(directory + "pids.current")).value_or(0)});
    if (group == group.parent_path()) return;
  }
}

}  // namespace

ThreadRoom LeastRoom(const std::vector<ThreadBound>& bounds) {
  ThreadRoom least;
  for (const ThreadBound& bound : bounds) {
    if (!bound.most.has_value()) continue;
    const uint64_t free = *bound.most > bound.used ? *bound.most - bound.used : 0;
    if (least.limit.empty() || free < least.free) least = {free, bound.name};
  }
  return least;
}

std::optional<uint64_t> ParseBound(const std::string& text) {
  uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || (rest != end && *rest != '\n')) return std::nullopt;
  return value;
}

uint64_t ThreadsInLoadavg(const std::string& text) {
  std::istringstream in(text);
  double load = 0;
  uint64_t running = 0;
  uint64_t all = 0;
  char slash = 0;
  in >> load >> load >> load >> running >> slash >> all;
  return in && slash == '/' ? all : 0;
}

uint64_t PortsInRange(const std::string& text) {
  std::istringstream in(text);
  uint64_t first = 0;
  uint64_t last = 0;
  in >> first >> last;
  return in && first <= last ? last - first + 1 : 0;
}

ThreadRoom ReadThreadRoom() {
  const uint64_t threads = ThreadsInLoadavg(ReadFile("/proc/loadavg"));
  std::vector<ThreadBound> bounds = {
      {"kernel.pid_max", ParseBound(ReadFile("/proc/sys/kernel/pid_max")), threads},
      {"kernel.threads-max", ParseBound(ReadFile("/proc/sys/kernel/threads-max")), threads},
      ReadUserBound()};
  AddCgroupBounds(&bounds);
  return LeastRoom(bounds);
}

uint64_t ReadLocalPorts() {
  return PortsInRange(ReadFile("/proc/sys/net/ipv4/ip_local_port_range"));
}

}  // namespace dslap
