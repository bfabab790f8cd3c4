// The table of `dslap agents`: who is there, what it is, and what it is doing.
//
//   AGENT          STATE        VERSION  PROTO  HOST    CORES   MEMORY  FILES  LOAD  ROUND TRIP
//   10.0.0.5:7527  idle         0.1.0    1.0    load-a      2  7.8 GiB  20000  0.42      210 us
//     TLS, its certificate is valid until 2027-06-01
//   10.0.0.6:7527  busy         0.1.0    1.0    load-b      2  7.8 GiB  20000  1.90      350 us
//     busy for 12.0 s with run 5f2c, held by alice@ctl pid 4711
//   10.0.0.7:7527  unreachable
//     Connection refused
//
// FILES is the limit of open files (soft RLIMIT_NOFILE), LOAD the load average of one minute. A
// certificate that has less than 30 days left is to be renewed.
// Pure.
#ifndef DSLAP_CONTROLLER_REPORT_AGENTS_TABLE_H_
#define DSLAP_CONTROLLER_REPORT_AGENTS_TABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "controller/exit_code.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// What asking one agent brought.
struct AgentStatus {
  std::string name;
  absl::StatusOr<v1::GetInfoResponse> info;
  int64_t round_trip_ns = 0;
};

// `now_unix`: seconds since 1970, to judge the certificates by.
std::string FormatAgentsTable(const std::vector<AgentStatus>& agents, int64_t now_unix);

// kValid when all are reachable and of a compatible version, else kAgentUnavailable. A busy agent
// is as good as an idle one here: it answers.
ExitCode AgentsExitCode(const std::vector<AgentStatus>& agents);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_AGENTS_TABLE_H_
