// A real agent that is treated badly, and what must be true of it afterwards: alive, serving, with
// no more descriptors, memory, children and log lines than it should have.
//
//   HostileTarget target;
//   ASSERT_TRUE(target.Start());
//   ... RawSocket(target.address()).Send("nonsense") ...
//   target.ExpectUnharmed(/*most_warnings=*/1);
#ifndef DSLAP_TESTS_E2E_HOSTILE_TARGET_H_
#define DSLAP_TESTS_E2E_HOSTILE_TARGET_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "tests/support/agent_process.h"
#include "tests/support/http2_bytes.h"
#include "tests/support/process_figures.h"

namespace dslap {

// Not thread-safe.
class HostileTarget {
 public:
  // How much more memory than before the agent may have when all is over.
  static constexpr int64_t kMostMoreBytes = int64_t{64} << 20;

  // Arguments of the agent, and of a dslap that it lets in.
  explicit HostileTarget(const std::vector<std::string>& agent_arguments = {},
                         std::vector<std::string> controller_arguments = {});

  // False, with a failed test: it does not come up, or does not serve a run.
  bool Start();

  const std::string& address() const { return agent_.address(); }
  AgentProcess& agent() { return agent_; }
  ProcessFigures Figures() const { return ReadProcessFigures(agent_.process().pid()); }
  int base_descriptors() const { return base_.descriptors; }

  // Whether a run goes through now; a failed test says why not.
  bool ServesARun() const;

  // Waits for what is still being cleared away, for a few seconds.
  void ExpectUnharmed(int most_warnings) const;

  // Lines of its log with this text; the other one waits for the first of them.
  int LinesWith(absl::string_view text) const;
  int AwaitLinesWith(const std::string& text);
  // dslap_agent_refused_total of a reason.
  int Refused(const std::string& reason) const;
  bool AwaitRefused(const std::string& reason, int at_least) const;

 private:
  AgentProcess agent_;
  const std::vector<std::string> controller_arguments_;
  std::string metrics_url_;
  ProcessFigures base_;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_E2E_HOSTILE_TARGET_H_
