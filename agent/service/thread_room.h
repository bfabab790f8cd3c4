// How many more threads this process could start, by whatever bounds them; and how many local ports
// there are. The arithmetic is apart from the reading, for tests.
//
//   ThreadRoom room = ReadThreadRoom();      // {28'000, "kernel.pid_max"}
#ifndef DSLAP_AGENT_SERVICE_THREAD_ROOM_H_
#define DSLAP_AGENT_SERVICE_THREAD_ROOM_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dslap {

// How many more threads this process could start now, and what bounds them. Empty: not known.
struct ThreadRoom {
  uint64_t free = 0;
  std::string limit;  // "kernel.pid_max", "kernel.threads-max", "RLIMIT_NPROC" or "pids.max"
};

struct ThreadBound {
  const char* name;
  std::optional<uint64_t> most;  // absent: there is no such bound
  uint64_t used = 0;             // of `most`, by all who share it
};

// The bound that leaves least; the first of equals.
ThreadRoom LeastRoom(const std::vector<ThreadBound>& bounds);

// What a file of the kernel holds: "32768", or "max", which is no bound. Absent for all else.
std::optional<uint64_t> ParseBound(const std::string& text);

// Of "1.00 0.50 0.25 2/345 6789", all threads of the host: 345. 0 when it is not of that form.
uint64_t ThreadsInLoadavg(const std::string& text);

// Of "32768\t60999", how many there are. 0 when it is not of that form.
uint64_t PortsInRange(const std::string& text);

// Thread-safe, like the next; read the system anew at every call.
ThreadRoom ReadThreadRoom();

// 0: not known.
uint64_t ReadLocalPorts();

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_THREAD_ROOM_H_
