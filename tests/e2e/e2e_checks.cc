#include "tests/e2e/e2e_checks.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "tests/support/dslap_process.h"
#include "tests/support/sandbox_database.h"

namespace dslap {

std::vector<std::string> Lines(const std::string& text) {
  return absl::StrSplit(text, '\n', absl::SkipEmpty());
}

std::vector<std::string> WithAgents(const AgentFleet& agents, std::vector<std::string> arguments) {
  if (!agents.empty()) arguments.insert(arguments.begin(), AgentsArgument(agents));
  return arguments;
}

void ExpectNothingLeft(const std::vector<std::string>& schemata) {
  EXPECT_EQ(Sandbox().Schemata(), schemata);
  EXPECT_TRUE(Sandbox().WaitForConnections(0, kFewSeconds))
      << Sandbox().Connections() << " connections are left";
}

void ExpectAgentsServe(const AgentFleet& agents) {
  for (const auto& agent : agents) {
    const ProcessResult result =
        RunDslap({absl::StrCat("--agents=", agent->address()), "--query=select 1",
                  "--number-of-queries=3", "--concurrency=2"});
    EXPECT_EQ(result.exit_code, 0) << agent->address() << ": " << result.err;
    EXPECT_THAT(result.out, ::testing::HasSubstr("\tStatements executed: 3 of 3\n"));
  }
}

void ExpectOneErrorLine(const ProcessResult& result, const std::vector<std::string>& parts) {
  const std::vector<std::string> lines = Lines(result.err);
  EXPECT_EQ(lines.size(), 1u) << result.err;
  EXPECT_TRUE(absl::StartsWith(result.err, "dslap: ")) << result.err;
  for (const std::string& part : parts) EXPECT_THAT(result.err, ::testing::HasSubstr(part));
}

ScratchSchema::ScratchSchema(std::string name, const std::vector<std::string>& tables)
    : name_(std::move(name)) {
  std::string sql = absl::StrCat("CREATE DATABASE ", name_);
  for (const std::string& table : tables) {
    absl::StrAppend(&sql, "; CREATE TABLE ", name_, ".", table);
  }
  Sandbox().Execute(sql);
}

ScratchSchema::~ScratchSchema() {
  Sandbox().Execute(absl::StrCat("DROP DATABASE IF EXISTS ", name_));
}

ScratchDirectory::ScratchDirectory() : path_(::testing::TempDir() + "/dslap-e2e-XXXXXX") {
  EXPECT_NE(mkdtemp(path_.data()), nullptr);
}

ScratchDirectory::~ScratchDirectory() { std::filesystem::remove_all(path_); }

std::string ScratchDirectory::Path(const std::string& name) const {
  return absl::StrCat(path_, "/", name);
}

std::string ScratchDirectory::File(const std::string& name, const std::string& content) const {
  std::ofstream(Path(name), std::ios::binary) << content;
  return Path(name);
}

std::string ReadFile(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

std::vector<std::string> EndlessLoad(const std::string& statement) {
  return {"--create=create table t (a int)", "--create-schema=e2e_load",
          absl::StrCat("--query=", statement), "--concurrency=4", "--number-of-queries=10000000"};
}

bool WaitUntilLoadRuns() {
  // Each look starts a client program, which takes its time: no pause is needed between them.
  const uint64_t ended = Sandbox().StatusCounter("Com_do");
  const absl::Time deadline = absl::Now() + absl::Seconds(30);
  while (absl::Now() < deadline) {
    if (Sandbox().StatusCounter("Com_do") >= ended + 40) return true;
  }
  return false;
}

bool WaitUntilAllRun(const std::string& statement) {
  return Sandbox().WaitForValue(
      absl::StrCat("SELECT COUNT(*) FROM information_schema.processlist WHERE info = '", statement,
                   "'"),
      "4", absl::Seconds(30));
}

ProcessResult WaitForEnd(Subprocess& dslap, absl::Duration timeout) {
  const absl::Time start = absl::Now();
  ProcessResult result;
  if (dslap.WaitForExit(timeout)) result.exit_code = *dslap.exit_code();
  result.elapsed = absl::Now() - start;
  result.out = dslap.out();
  result.err = dslap.err();
  return result;
}

}  // namespace dslap
