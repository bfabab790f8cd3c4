// What GetInfo tells about the host and the process.
#ifndef DSLAP_AGENT_SERVICE_HOST_INFO_H_
#define DSLAP_AGENT_SERVICE_HOST_INFO_H_

#include <cstdint>
#include <string>

#include "agent/service/thread_room.h"

namespace dslap {

struct HostInfo {
  std::string hostname;
  uint32_t cores = 0;           // that this process may use (its affinity mask)
  uint64_t memory_bytes = 0;    // of the host
  uint64_t max_open_files = 0;  // soft RLIMIT_NOFILE
  double load_average = 0;      // one minute
  // Below, 0 is: not known.
  uint64_t max_open_files_hard = 0;
  uint64_t open_files = 0;  // descriptors of this process now
  ThreadRoom threads;
  uint64_t local_ports = 0;  // that one address of a server can be reached from
};

// Thread-safe; reads the system anew at every call.
HostInfo ReadHostInfo();

// Descriptors of this process now; 0: not known.
uint64_t OpenFiles();

// The soft RLIMIT_NOFILE.
uint64_t OpenFilesLimit();

// Raises the soft RLIMIT_NOFILE to the hard limit: every client needs a descriptor. Logs it when it
// did. Returns the limit that holds afterwards.
uint64_t RaiseOpenFilesLimit();

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_HOST_INFO_H_
