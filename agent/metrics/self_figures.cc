#include "agent/metrics/self_figures.h"

#include <unistd.h>

#include <ctime>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "agent/service/host_info.h"
#include "common/status_util.h"

namespace dslap {
namespace {

// Fields of proc(5)'s /proc/self/stat, counted from the one after the program's name, which may
// hold anything.
constexpr size_t kUserTicks = 11;
constexpr size_t kSystemTicks = 12;
constexpr size_t kThreads = 17;
constexpr size_t kStartTicks = 19;
constexpr size_t kVirtualBytes = 20;
constexpr size_t kResidentPages = 21;

uint64_t Number(const std::vector<absl::string_view>& fields, size_t index) {
  uint64_t number = 0;
  if (index >= fields.size() || !absl::SimpleAtoi(fields[index], &number)) return 0;
  return number;
}

double Seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

}  // namespace

SelfFigures ReadSelfFigures() {
  SelfFigures figures;
  figures.open_files = OpenFiles();
  figures.max_open_files = OpenFilesLimit();
  const std::string stat = ReadFile("/proc/self/stat").value_or("");
  const size_t name_end = stat.rfind(") ");
  if (name_end == std::string::npos) return figures;
  const std::vector<absl::string_view> fields =
      absl::StrSplit(absl::string_view(stat).substr(name_end + 2), ' ');
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  figures.cpu_seconds =
      static_cast<double>(Number(fields, kUserTicks) + Number(fields, kSystemTicks)) / ticks;
  // Once: from reading to reading it would follow the wall clock, and look like another process.
  static const double started = Seconds(CLOCK_REALTIME) - Seconds(CLOCK_BOOTTIME) +
                                static_cast<double>(Number(fields, kStartTicks)) / ticks;
  figures.start_time_seconds = started;
  figures.threads = Number(fields, kThreads);
  figures.virtual_bytes = Number(fields, kVirtualBytes);
  figures.resident_bytes =
      Number(fields, kResidentPages) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return figures;
}

}  // namespace dslap
