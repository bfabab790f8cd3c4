// Asks all agents at once who they are, and says which of them a run cannot use and why.
#ifndef DSLAP_CONTROLLER_COORDINATION_PREFLIGHT_H_
#define DSLAP_CONTROLLER_COORDINATION_PREFLIGHT_H_

#include <cstdint>
#include <functional>
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

// For who has more to wait for than the answers.
struct AnswerWait {
  // Called after each answer, from any thread; the links must be gone before what it uses.
  std::function<void()> on_answer;
  // Waits until the condition holds or an instant of the clock has come. May give up earlier.
  std::function<void(const std::function<bool()>& all_answered, int64_t deadline_ns)> await;
};

// Waits for every answer, at most `timeout`. In the order of `links`.
std::vector<AgentAnswer> AskAll(const std::vector<AgentLink*>& links, absl::Duration timeout,
                                Clock* clock);
std::vector<AgentAnswer> AskAll(const std::vector<AgentLink*>& links, absl::Duration timeout,
                                Clock* clock, const AnswerWait& wait);

// Of each agent, in the order of `answers`: OK when it answered, speaks our protocol and is idle;
// else why a run cannot use it, the agent named.
std::vector<absl::Status> CheckAnswers(const std::vector<AgentAnswer>& answers);

// OK when all are; else one message with each that is not, and the code of the first.
absl::Status JoinProblems(const std::vector<absl::Status>& of_agents);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_PREFLIGHT_H_
