// What the end-to-end tests ask after a run, and loads that they put on.
#ifndef DSLAP_TESTS_E2E_E2E_CHECKS_H_
#define DSLAP_TESTS_E2E_E2E_CHECKS_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "tests/support/agent_process.h"
#include "tests/support/subprocess.h"

namespace dslap {

// How long a failing run may take: "a few seconds" for a person, on a machine that is busy with
// other things.
inline constexpr absl::Duration kFewSeconds = absl::Seconds(15);

std::vector<std::string> Lines(const std::string& text);  // without the empty ones

// `arguments`, with --agents in front unless the fleet is empty: then the agent is in-process.
std::vector<std::string> WithAgents(const AgentFleet& agents, std::vector<std::string> arguments);

// No schemata but `schemata` and no connection of the sandbox's user are left, soon.
void ExpectNothingLeft(const std::vector<std::string>& schemata = {});

// Every agent serves a run.
void ExpectAgentsServe(const AgentFleet& agents);

// One line on stderr that begins with "dslap: " and contains all of `parts`.
void ExpectOneErrorLine(const ProcessResult& result, const std::vector<std::string>& parts);

// A schema of the test's own, gone at its end.
class ScratchSchema {
 public:
  // `tables`: what goes between CREATE TABLE and the next, e.g. {"seen (id BIGINT)"}.
  explicit ScratchSchema(std::string name, const std::vector<std::string>& tables = {});
  ~ScratchSchema();
  ScratchSchema(const ScratchSchema&) = delete;
  ScratchSchema& operator=(const ScratchSchema&) = delete;

 private:
  const std::string name_;
};

// A directory of the test's own, gone at its end with all that is in it.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string Path(const std::string& name) const;
  // Writes it, byte for byte; returns its path.
  std::string File(const std::string& name, const std::string& content) const;

 private:
  std::string path_;
};

std::string ReadFile(const std::string& path);  // empty when there is none

// Four clients that would run `statement` for hours, in a schema "e2e_load" of dslap's own.
std::vector<std::string> EndlessLoad(const std::string& statement = "do sleep(0.02)");

// True when EndlessLoad() is going on: a few dozen statements ended after the call.
bool WaitUntilLoadRuns();

// True when each of the four clients of EndlessLoad(statement) is in its statement.
bool WaitUntilAllRun(const std::string& statement);

// Waits for the end of `dslap`; the result has what it printed. Exit code -1: it did not end.
ProcessResult WaitForEnd(Subprocess& dslap, absl::Duration timeout = kFewSeconds);

}  // namespace dslap

#endif  // DSLAP_TESTS_E2E_E2E_CHECKS_H_
