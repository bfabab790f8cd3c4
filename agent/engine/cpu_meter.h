// How much processor time went by between two instants: of this process, and of the whole host. The
// controller says from it whether the agents, not the database, were the bottleneck.
//
//   CpuMeter meter;          // at the gate's opening
//   CpuUse use = meter.Read();   // at the last response
#ifndef DSLAP_AGENT_ENGINE_CPU_METER_H_
#define DSLAP_AGENT_ENGINE_CPU_METER_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace dslap {

struct CpuUse {
  int64_t process_ns = 0;    // user and system
  int64_t host_busy_ns = 0;  // all cores together; 0 when the host does not say
  uint32_t cores = 0;
};

// Busy time of all cores since boot in the kernel's clock ticks, from the text of /proc/stat: all
// but idle and waiting for disks. Nothing when the text has no such line. Pure.
std::optional<uint64_t> ParseBusyTicks(std::string_view proc_stat);

// Thread-safe after construction: only read.
class CpuMeter {
 public:
  // Starts.
  CpuMeter();

  // Since the start.
  CpuUse Read() const;

 private:
  CpuUse at_start_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_CPU_METER_H_
