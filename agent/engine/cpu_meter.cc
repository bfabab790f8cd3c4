#include "agent/engine/cpu_meter.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "common/status_util.h"

namespace dslap {
namespace {

constexpr int64_t kNsPerSecond = 1'000'000'000;

int64_t ToNs(const timeval& time) { return kNsPerSecond * time.tv_sec + 1'000 * time.tv_usec; }

int64_t HostBusyNs() {
  const absl::StatusOr<std::string> text = ReadFile("/proc/stat");
  if (!text.ok()) return 0;
  const std::optional<uint64_t> ticks = ParseBusyTicks(*text);
  if (!ticks.has_value()) return 0;
  return static_cast<int64_t>(*ticks) * (kNsPerSecond / sysconf(_SC_CLK_TCK));
}

CpuUse SinceBoot() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {ToNs(usage.ru_utime) + ToNs(usage.ru_stime), HostBusyNs(),
          static_cast<uint32_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)))};
}

}  // namespace

std::optional<uint64_t> ParseBusyTicks(std::string_view proc_stat) {
  // cpu  user nice system idle iowait irq softirq steal guest guest_nice; a guest's time is part of
  // user and nice already.
  constexpr size_t kIdle = 3;
  constexpr size_t kIowait = 4;
  constexpr size_t kFirstGuest = 8;
  const absl::string_view text(proc_stat.data(), proc_stat.size());
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<absl::string_view> fields = absl::StrSplit(line, ' ', absl::SkipEmpty());
    if (fields.size() <= kIdle + 1 || fields.front() != "cpu") continue;
    uint64_t busy = 0;
    for (size_t i = 0; i + 1 < fields.size() && i < kFirstGuest; ++i) {
      uint64_t ticks = 0;
      if (!absl::SimpleAtoi(fields[i + 1], &ticks)) return std::nullopt;
      if (i != kIdle && i != kIowait) busy += ticks;
    }
    return busy;
  }
  return std::nullopt;
}

CpuMeter::CpuMeter() : at_start_(SinceBoot()) {}

CpuUse CpuMeter::Read() const {
  const CpuUse now = SinceBoot();
  return {now.process_ns - at_start_.process_ns,
          std::max<int64_t>(0, now.host_busy_ns - at_start_.host_busy_ns), now.cores};
}

}  // namespace dslap
