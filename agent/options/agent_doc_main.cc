// dslap_agent_doc: writes what is generated from the agent's option table.
//
//   dslap_agent_doc --man TEMPLATE OUT       a manual page
//   dslap_agent_doc --completion OUT         the completion for bash
#include <iostream>
#include <string>
#include <vector>

#include "agent/options/agent_manual.h"
#include "common/manual/write_manual.h"

namespace dslap {
namespace {

absl::Status Write(const std::vector<std::string>& arguments) {
  if (arguments.size() == 3 && arguments[0] == "--man") {
    return WriteManualPage(AgentManual(), arguments[1], arguments[2]);
  }
  if (arguments.size() == 2 && arguments[0] == "--completion") {
    return WriteBashCompletion(AgentManual(), arguments[1]);
  }
  return absl::InvalidArgumentError("usage: dslap_agent_doc --man TEMPLATE OUT | --completion OUT");
}

}  // namespace
}  // namespace dslap

int main(int argc, char** argv) {
  const absl::Status status = dslap::Write(std::vector<std::string>(argv + 1, argv + argc));
  if (status.ok()) return 0;
  std::cerr << "dslap_agent_doc: " << status.message() << "\n";
  return absl::IsInvalidArgument(status) ? 2 : 1;
}
