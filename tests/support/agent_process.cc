#include "tests/support/agent_process.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

constexpr absl::Duration kStartTimeout = absl::Seconds(30);

SubprocessSpec Spec(const std::vector<std::string>& arguments, int network_fd) {
  SubprocessSpec spec;
  spec.network_fd = network_fd;
  spec.argv = {absl::StrCat(DSLAP_BINARY_DIR, "/bin/dslap-agent"), "--listen=127.0.0.1:0"};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  return spec;
}

}  // namespace

AgentProcess::AgentProcess(const std::vector<std::string>& arguments, int network_fd)
    : process_(Spec(arguments, network_fd)) {}

bool AgentProcess::WaitUntilListening() {
  const std::string before = "listening on ";
  if (!process_.WaitForErrorLine(before, kStartTimeout)) {
    ADD_FAILURE() << "dslap-agent does not listen:\n" << process_.err();
    return false;
  }
  const std::string log = process_.err();
  const size_t from = log.find(before) + before.size();
  address_ = log.substr(from, log.find_first_of(" \n", from) - from);
  return true;
}

AgentFleet StartAgents(int count) {
  AgentFleet agents;
  for (int i = 0; i < count; ++i) agents.push_back(std::make_unique<AgentProcess>());
  for (const auto& agent : agents) {
    if (!agent->WaitUntilListening()) return {};
  }
  return agents;
}

std::string AgentsArgument(const AgentFleet& agents) {
  return absl::StrCat("--agents=",
                      absl::StrJoin(agents, ",", [](std::string* out, const auto& agent) {
                        out->append(agent->address());
                      }));
}

}  // namespace dslap
