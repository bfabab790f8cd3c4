#include "tests/e2e/hostile_target.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/e2e_checks.h"
#include "tests/support/dslap_process.h"
#include "tests/support/raw_socket.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

std::vector<std::string> WithMetrics(std::vector<std::string> arguments) {
  arguments.emplace_back("--metrics=127.0.0.1:0");
  return arguments;
}

}  // namespace

HostileTarget::HostileTarget(const std::vector<std::string>& agent_arguments,
                             std::vector<std::string> controller_arguments)
    : agent_(WithMetrics(agent_arguments)),
      controller_arguments_(std::move(controller_arguments)) {}

bool HostileTarget::Start() {
  if (!agent_.WaitUntilListening()) return false;
  const std::string log = agent_.process().err();
  const size_t from = log.find("http://");
  metrics_url_ = log.substr(from, log.find('\n', from) - from);
  // The first run makes what stays: threads, buffers.
  if (!ServesARun()) return false;
  base_ = Figures();
  return true;
}

bool HostileTarget::ServesARun() const {
  std::vector<std::string> arguments = {absl::StrCat("--agents=", agent_.address()),
                                        "--query=select 1", "--concurrency=4"};
  arguments.insert(arguments.end(), controller_arguments_.begin(), controller_arguments_.end());
  const ProcessResult result = RunDslap(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err << "\nthe agent:\n" << agent_.process().err();
  EXPECT_THAT(result.out, testing::HasSubstr("\nVerdict: VALID"));
  return result.exit_code == 0;
}

void HostileTarget::ExpectUnharmed(int most_warnings) const {
  EXPECT_TRUE(ServesARun());
  const absl::Time until = absl::Now() + kFewSeconds;
  ProcessFigures now = Figures();
  while (now.descriptors > base_.descriptors && absl::Now() < until) now = Figures();
  EXPECT_LE(now.descriptors, base_.descriptors);
  EXPECT_LE(now.rss_bytes, base_.rss_bytes + kMostMoreBytes);
  EXPECT_LE(LinesWith(" warning "), most_warnings) << agent_.process().err();
  EXPECT_EQ(LinesWith(" error "), 0) << agent_.process().err();
  const ProcessResult children =
      RunProcess({.argv = {"ps", "--no-headers", "--ppid", absl::StrCat(agent_.process().pid())}},
                 kFewSeconds);
  EXPECT_EQ(children.out, "");
}

int HostileTarget::LinesWith(absl::string_view text) const {
  int count = 0;
  for (const std::string& line : Lines(agent_.process().err())) {
    if (absl::StrContains(line, text)) ++count;
  }
  return count;
}

int HostileTarget::AwaitLinesWith(const std::string& text) {
  EXPECT_TRUE(agent_.process().WaitForErrorLine(text, kFewSeconds));
  return LinesWith(text);
}

int HostileTarget::Refused(const std::string& reason) const {
  const std::string name = absl::StrCat("dslap_agent_refused_total{reason=\"", reason, "\"} ");
  for (const std::string& line : Lines(HttpGet(metrics_url_))) {
    absl::string_view value = line;
    int number = 0;
    if (absl::ConsumePrefix(&value, name) && absl::SimpleAtoi(value, &number)) return number;
  }
  return -1;
}

bool HostileTarget::AwaitRefused(const std::string& reason, int at_least) const {
  const absl::Time until = absl::Now() + kFewSeconds;
  while (Refused(reason) < at_least) {
    if (absl::Now() > until) return false;
  }
  return true;
}

}  // namespace dslap
