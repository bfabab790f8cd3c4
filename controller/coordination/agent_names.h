// Where agents are: "host:port" texts taken apart. Pure.
#ifndef DSLAP_CONTROLLER_COORDINATION_AGENT_NAMES_H_
#define DSLAP_CONTROLLER_COORDINATION_AGENT_NAMES_H_

#include <string>

#include "absl/strings/string_view.h"

namespace dslap {

inline constexpr char kInProcessAgentName[] = "in-process";

// True for "localhost", 127.0.0.0/8 and ::1, with or without ":port": nothing sent there leaves the
// host. Names that merely resolve to loopback do not count: that can change.
bool IsLoopbackAddress(absl::string_view host_and_port);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_AGENT_NAMES_H_
