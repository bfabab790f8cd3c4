// Which agents of a case the text report has a line for. Up to a screenful it is all of them; of a
// large fleet those that stand out, with what they stand out by. The JSON document has all. Pure.
#ifndef DSLAP_CONTROLLER_REPORT_LISTED_AGENTS_H_
#define DSLAP_CONTROLLER_REPORT_LISTED_AGENTS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "controller/report/run_report.h"

namespace dslap {

// So many agents are all listed; and of more, so many that are missing, lost or short of clients at
// most.
inline constexpr size_t kMaxListedAgents = 16;

struct ListedAgent {
  const AgentCaseReport* agent = nullptr;
  std::string remark;  // "fewest queries/s, highest p99"; empty: nothing to say
};

// In the order of `agents`, which must outlive the result.
std::vector<ListedAgent> ListAgents(const std::vector<AgentCaseReport>& agents);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_LISTED_AGENTS_H_
