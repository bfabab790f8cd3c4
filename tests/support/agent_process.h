// A real dslap-agent on a free port of loopback, for one test.
//
//   AgentProcess agent;
//   ASSERT_TRUE(agent.WaitUntilListening());
//   RunDslap({"--agents=" + agent.address(), "-a"});
//   agent.process().Signal(SIGKILL);
#ifndef DSLAP_TESTS_SUPPORT_AGENT_PROCESS_H_
#define DSLAP_TESTS_SUPPORT_AGENT_PROCESS_H_

#include <memory>
#include <string>
#include <vector>

#include "tests/support/subprocess.h"

namespace dslap {

// Killed by the destructor. Not thread-safe.
class AgentProcess {
 public:
  // `arguments` on top of --listen. `network_fd`: see SubprocessSpec.
  explicit AgentProcess(const std::vector<std::string>& arguments = {}, int network_fd = -1);

  // False, with a failed test that shows the agent's log, when it does not come up in time.
  bool WaitUntilListening();

  // "127.0.0.1:41234", once it listens.
  const std::string& address() const { return address_; }
  Subprocess& process() { return process_; }
  const Subprocess& process() const { return process_; }

 private:
  Subprocess process_;
  std::string address_;
};

using AgentFleet = std::vector<std::unique_ptr<AgentProcess>>;

// `count` agents, started at once and listening. Fewer, with a failed test, if one does not come
// up.
AgentFleet StartAgents(int count);

// "--agents=127.0.0.1:41234,127.0.0.1:41235"
std::string AgentsArgument(const AgentFleet& agents);

}  // namespace dslap

#endif  // DSLAP_TESTS_SUPPORT_AGENT_PROCESS_H_
