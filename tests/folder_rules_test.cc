// Keeps the rules between the folders by reading every #include (docs/walkthrough.md names them).
// The rules are applied to the project's tree, and to small planted trees that break each of them.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Path within the project -> its includes, without quotes and brackets, in order.
using Tree = std::map<std::string, std::vector<std::string>>;

struct Rule {
  std::string name;
  std::vector<std::string> files;      // beginnings of the paths that the rule binds
  std::vector<std::string> except;     // beginnings of the paths that it does not
  std::vector<std::string> forbidden;  // beginnings of includes
  // Whether an include may not even be reached through other files of the project.
  bool transitively = true;
};

// Headers of threads, locks and waiting.
const std::vector<std::string>& ThreadHeaders() {
  static const auto* const headers = new std::vector<std::string>{"thread",
                                                                  "mutex",
                                                                  "shared_mutex",
                                                                  "condition_variable",
                                                                  "future",
                                                                  "semaphore",
                                                                  "latch",
                                                                  "barrier",
                                                                  "stop_token",
                                                                  "pthread.h",
                                                                  "absl/synchronization/",
                                                                  "absl/time/clock.h"};
  return *headers;
}

std::vector<std::string> GrpcAnd(std::vector<std::string> more) {
  more.insert(more.end(), {"grpcpp/", "grpc/", "dslap/v1/agent.grpc.pb.h"});
  return more;
}

std::vector<Rule> Rules() {
  return {
      {"controller/ never includes agent/",
       {"controller/"},
       {"controller/in_process_agent."},
       {"agent/"},
       // Only the includes themselves: main() reaches the agent through the file of the exception.
       /*transitively=*/false},
      {"agent/ never includes controller/", {"agent/"}, {}, {"controller/"}},
      {"common/ includes neither program", {"common/"}, {}, {"agent/", "controller/"}},
      {"proto/ includes nothing of ours", {"proto/"}, {}, {"agent/", "common/", "controller/"}},
      {"the product never includes tests/",
       {"agent/", "common/", "controller/", "proto/"},
       {},
       {"tests/", "gtest/", "gmock/"}},
      {"the database's client library is seen in agent/sql/ only",
       {"agent/", "common/", "controller/", "tests/"},
       {"agent/sql/"},
       {"mysql.h", "mysqld_error.h", "errmsg.h", "mysql/", "mariadb/"},
       /*transitively=*/false},
      {"Prometheus's library is seen in agent/metrics/ only",
       {"agent/", "common/", "controller/"},
       {"agent/metrics/"},
       {"prometheus/"},
       /*transitively=*/false},
      {"session, engine and SQL see no gRPC",
       {"agent/session/", "agent/engine/", "agent/sql/"},
       {},
       GrpcAnd({})},
      {"pure files see no gRPC, thread, lock or sleep",
       {"common/histogram", "common/error_tally.", "common/secret.", "common/status_util.",
        "controller/plan/", "controller/report/", "controller/options.h",
        "controller/coordination/clock_map.", "controller/coordination/run_record.h",
        "agent/service/connection_book.", "agent/session/convert.", "agent/session/lease.",
        "agent/session/progress_meter.", "agent/session/session_state_machine.",
        "agent/session/validate_request."},
       {},
       GrpcAnd(ThreadHeaders())},
  };
}

bool StartsWithAny(absl::string_view text, const std::vector<std::string>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [text](const std::string& b) { return absl::StartsWith(text, b); });
}

// A standard header is matched whole: "thread" must not forbid "thread_annotations.h".
bool Forbidden(const Rule& rule, const std::string& include) {
  return std::any_of(rule.forbidden.begin(), rule.forbidden.end(), [&](const std::string& f) {
    return absl::EndsWith(f, "/") ? absl::StartsWith(include, f) : include == f;
  });
}

// Follows the includes from `file`; adds one line for each forbidden one.
void Check(const Rule& rule, const Tree& tree, const std::string& file,
           std::vector<std::string> path, std::set<std::string>& seen,
           std::vector<std::string>& violations) {
  path.push_back(file);
  for (const std::string& include : tree.at(file)) {
    if (Forbidden(rule, include)) {
      violations.push_back(
          absl::StrCat(rule.name, ": ", absl::StrJoin(path, " -> "), " -> ", include));
    }
    // The clock is a seam that tests replace: to use it is not to wait.
    const bool follow = rule.transitively && include != "common/clock.h" &&
                        tree.find(include) != tree.end() && seen.insert(include).second;
    if (follow) Check(rule, tree, include, path, seen, violations);
  }
}

std::vector<std::string> Violations(const Tree& tree) {
  std::vector<std::string> violations;
  for (const Rule& rule : Rules()) {
    for (const auto& [file, includes] : tree) {
      if (!StartsWithAny(file, rule.files) || StartsWithAny(file, rule.except)) continue;
      std::set<std::string> seen = {file};
      Check(rule, tree, file, {}, seen, violations);
    }
  }
  return violations;
}

// The file named by a line `#include "x"`, `#include <x>` or `import "x";`; empty for other lines.
std::string IncludeOf(absl::string_view line) {
  line = absl::StripLeadingAsciiWhitespace(line);
  if (absl::ConsumePrefix(&line, "#")) {
    line = absl::StripLeadingAsciiWhitespace(line);
    if (!absl::ConsumePrefix(&line, "include")) return "";
  } else if (!absl::ConsumePrefix(&line, "import ")) {
    return "";
  }
  line = absl::StripLeadingAsciiWhitespace(line);
  if (!absl::ConsumePrefix(&line, "\"") && !absl::ConsumePrefix(&line, "<")) return "";
  const size_t end = line.find_first_of("\">");
  if (end == absl::string_view::npos) return "";
  return absl::StrCat(line.substr(0, end));
}

Tree ReadTree(const std::filesystem::path& root) {
  Tree tree;
  for (const char* const folder : {"agent", "common", "controller", "proto", "tests"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".cc" && extension != ".h" && extension != ".proto") continue;
      std::vector<std::string>& includes =
          tree[std::filesystem::relative(entry.path(), root).string()];
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        if (std::string include = IncludeOf(line); !include.empty()) {
          includes.push_back(std::move(include));
        }
      }
    }
  }
  return tree;
}

TEST(FolderRulesTest, ProjectKeepsThem) {
  EXPECT_THAT(Violations(ReadTree(DSLAP_SOURCE_DIR)), IsEmpty());
}

// A rule about a file that was renamed binds nothing any more.
TEST(FolderRulesTest, EveryRuleBindsAFile) {
  const Tree tree = ReadTree(DSLAP_SOURCE_DIR);
  for (const Rule& rule : Rules()) {
    for (const std::string& beginning : rule.files) {
      EXPECT_TRUE(
          std::any_of(tree.begin(), tree.end(),
                      [&](const auto& file) { return absl::StartsWith(file.first, beginning); }))
          << rule.name << ": there is no " << beginning << "*";
    }
  }
}

TEST(FolderRulesTest, ReadsTheIncludesOfTheProject) {
  const Tree tree = ReadTree(DSLAP_SOURCE_DIR);
  ASSERT_TRUE(tree.count("common/grpc_status.h"));
  EXPECT_THAT(tree.at("common/grpc_status.h"),
              ElementsAre("grpcpp/support/status.h", "absl/status/status.h"));
}

TEST(FolderRulesTest, ReadsEverySpellingOfAnInclude) {
  EXPECT_EQ(IncludeOf("#include <mysql.h>"), "mysql.h");
  EXPECT_EQ(IncludeOf("  #  include \"agent/x.h\"  // why"), "agent/x.h");
  EXPECT_EQ(IncludeOf("import \"dslap/v1/agent.proto\";"), "dslap/v1/agent.proto");
  EXPECT_EQ(IncludeOf("// #include <mysql.h>"), "");
  EXPECT_EQ(IncludeOf("#define include"), "");
}

TEST(FolderRulesTest, FindsControllerInAgentAndAgentInController) {
  EXPECT_THAT(Violations({{"agent/session/a.cc", {"controller/options.h"}}}),
              ElementsAre("agent/ never includes controller/: "
                          "agent/session/a.cc -> controller/options.h"));
  EXPECT_THAT(Violations({{"controller/plan/a.cc", {"agent/sql/sql_connection.h"}}}),
              ElementsAre("controller/ never includes agent/: "
                          "controller/plan/a.cc -> agent/sql/sql_connection.h"));
}

TEST(FolderRulesTest, OnlyTheInProcessAgentIsExcepted) {
  EXPECT_THAT(Violations({{"controller/in_process_agent.cc", {"agent/service/agent_server.h"}},
                          {"controller/main.cc", {"controller/in_process_agent.h"}}}),
              IsEmpty());
  EXPECT_THAT(Violations({{"controller/in_process.cc", {"agent/service/agent_server.h"}}}),
              SizeIs(1));
}

TEST(FolderRulesTest, FindsAProgramInCommonAlsoBehindAnotherFile) {
  EXPECT_THAT(Violations({{"common/a.cc", {"common/b.h"}}, {"common/b.h", {"agent/c.h"}}}),
              ElementsAre("common/ includes neither program: common/a.cc -> common/b.h -> "
                          "agent/c.h",
                          "common/ includes neither program: common/b.h -> agent/c.h"));
}

TEST(FolderRulesTest, FindsOursInProtoAndTestsInTheProduct) {
  EXPECT_THAT(Violations({{"proto/dslap/v1/a.proto", {"common/a.proto"}}}), SizeIs(1));
  EXPECT_THAT(Violations({{"agent/service/a.cc", {"tests/fakes/fake_clock.h"}}}), SizeIs(1));
}

TEST(FolderRulesTest, FindsTheClientLibraryOutsideAgentSql) {
  EXPECT_THAT(Violations({{"agent/sql/mysql_connection.cc", {"mysql.h", "errmsg.h"}}}), IsEmpty());
  for (const char* const header : {"mysql.h", "mysqld_error.h", "errmsg.h", "mysql/mysql.h"}) {
    EXPECT_THAT(Violations({{"agent/engine/a.cc", {header}}}), SizeIs(1)) << header;
    EXPECT_THAT(Violations({{"tests/agent/sql/a_test.cc", {header}}}), SizeIs(1)) << header;
  }
}

TEST(FolderRulesTest, FindsPrometheusOutsideAgentMetrics) {
  EXPECT_THAT(Violations({{"agent/metrics/a.cc", {"prometheus/exposer.h"}}}), IsEmpty());
  EXPECT_THAT(Violations({{"agent/service/a.cc", {"prometheus/exposer.h"}}}),
              ElementsAre("Prometheus's library is seen in agent/metrics/ only: "
                          "agent/service/a.cc -> prometheus/exposer.h"));
}

TEST(FolderRulesTest, FindsGrpcInTheSession) {
  EXPECT_THAT(Violations({{"agent/session/a.cc", {"common/grpc_status.h"}},
                          {"common/grpc_status.h", {"grpcpp/support/status.h"}}}),
              ElementsAre("session, engine and SQL see no gRPC: agent/session/a.cc -> "
                          "common/grpc_status.h -> grpcpp/support/status.h"));
}

TEST(FolderRulesTest, FindsThreadsAndSleepInPureFilesButLetsTheClockPass) {
  for (const char* const header : {"thread", "mutex", "absl/synchronization/mutex.h",
                                   "absl/time/clock.h", "dslap/v1/agent.grpc.pb.h"}) {
    EXPECT_THAT(Violations({{"controller/plan/a.cc", {header}}}), SizeIs(1)) << header;
  }
  EXPECT_THAT(Violations({{"controller/plan/a.cc",
                           {"absl/base/thread_annotations.h", "absl/time/time.h",
                            "dslap/v1/agent.pb.h", "common/clock.h"}},
                          {"common/clock.h", {"absl/synchronization/mutex.h"}}}),
              IsEmpty());
}

}  // namespace
}  // namespace dslap
