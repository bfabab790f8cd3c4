// One row of the loss matrix: a run on hosts of its own is brought into a state, a fault befalls a
// host, and all sides are asked what became of it. See loss_matrix_test.cc.
#ifndef DSLAP_TESTS_E2E_LOSS_ROW_H_
#define DSLAP_TESTS_E2E_LOSS_ROW_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "tests/support/agent_process.h"
#include "tests/support/net_lab.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/sql_probe.h"
#include "tests/support/subprocess.h"

namespace dslap {

enum class LossState { kOpening, kPreparing, kReady, kRunning, kTearingDown };
enum class LossFault { kKill, kStop, kCut, kReset, kReboot };
enum class LossVictim { kAgent, kController };

struct LossCase {
  LossState state = LossState::kRunning;
  LossFault fault = LossFault::kKill;
  LossVictim victim = LossVictim::kAgent;

  std::string name() const;  // "agent_running_cut"
};

// Used by one thread from beginning to end. No assertions of GoogleTest: several run at once.
class LossRow {
 public:
  // `lab` and `database`, which all hosts reach, outlive the row. `number` makes its names unique.
  LossRow(const LossCase& what, int number, NetLab* lab, SandboxDatabase* database);

  // What was not as it should be; empty: all was.
  std::vector<std::string> Run();

 private:
  bool HoldRow();
  bool StartAgents();
  void StartDslap();
  bool AwaitState();
  void Strike();
  void Heal();
  void CheckStopping();
  void CheckController();
  void CheckAgents();
  void CheckServer();
  void CheckNextRun();
  NetHost& victim_host();
  Subprocess& victim_process();
  bool silent() const;           // nobody is told of the fault
  bool controller_ends() const;  // by the fault
  void Expect(bool holds, const std::string& what);
  void ExpectIn(const std::string& text, const std::string& part, const std::string& where);
  SubprocessSpec Dslap(const std::vector<std::string>& arguments) const;
  std::string CountOf(const std::string& condition) const;
  std::string CountOfWaiting() const;

  const LossCase what_;
  const std::string account_;  // and schema
  SandboxDatabase* const database_;
  NetHost& controller_host_;
  NetHost& first_host_;  // of the agent that runs the scripts, the victim
  NetHost& second_host_;
  SqlProbe probe_;
  SqlProbe holder_;         // has a row locked that is not the run's
  const std::string wait_;  // a statement that waits for that row
  std::unique_ptr<AgentProcess> first_;
  std::unique_ptr<AgentProcess> second_;
  std::unique_ptr<Subprocess> dslap_;
  absl::Time struck_at_;
  std::vector<std::string> problems_;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_E2E_LOSS_ROW_H_
