// Asks all agents at once who they are, and says which of them a run cannot use and why.
#ifndef DSLAP_CONTROLLER_COORDINATION_PREFLIGHT_H_
#define DSLAP_CONTROLLER_COORDINATION_PREFLIGHT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "controller/coordination/agent_link.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

struct AgentAnswer {
  std::string name;
  absl::StatusOr<v1::GetInfoResponse> info = absl::DeadlineExceededError("no answer");
  int64_t round_trip_ns = 0;  // from asking to the answer, the connecting included
};

// Waits for every answer, at most `timeout`. In the order of `links`.
std::vector<AgentAnswer> AskAll(const std::vector<AgentLink*>& links, absl::Duration timeout,
                                Clock* clock);

// OK when every agent answered, speaks our protocol and is idle; else one message that names each
// that does not.
absl::Status CheckAnswers(const std::vector<AgentAnswer>& answers);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_PREFLIGHT_H_
