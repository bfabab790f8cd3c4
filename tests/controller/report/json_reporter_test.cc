#include "controller/report/json_reporter.h"

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/status_util.h"
#include "gtest/gtest.h"
#include "tests/controller/report/golden.h"
#include "tests/controller/report/sample_report.h"

namespace dslap {
namespace {

std::string Text(const RunReport& report) {
  std::ostringstream out;
  JsonReporter().Write(report, out);
  return out.str();
}

TEST(JsonReporterTest, LocalRun) { EXPECT_TRUE(MatchesGolden(Text(LocalReport()), "local.json")); }

TEST(JsonReporterTest, DistributedRunWithEveryTrouble) {
  EXPECT_TRUE(MatchesGolden(Text(DistributedReport()), "distributed.json"));
}

TEST(JsonReporterTest, IntegersStayIntegers) {
  RunReport report = LocalReport();
  report.cases[0].statements = 9'007'199'254'740'993;  // 2^53 + 1: no double holds it
  report.cases[0].latency.max_ns = 18'446'744'073'709'551'615U;
  const auto json = nlohmann::json::parse(Text(report));
  EXPECT_EQ(json["cases"][0]["statements_succeeded"].get<uint64_t>(), 9'007'199'254'740'993U);
  EXPECT_EQ(json["cases"][0]["latency"]["max_ns"].get<uint64_t>(), 18'446'744'073'709'551'615U);
  EXPECT_TRUE(json["cases"][0]["start_skew_ns"].is_number_integer());
}

// The histogram can be rebuilt from the document.
TEST(JsonReporterTest, HistogramIsComplete) {
  const RunReport report = LocalReport();
  const auto json = nlohmann::json::parse(Text(report));
  const auto& histogram = json["cases"][0]["latency_histogram"];
  LatencyHistogram rebuilt;
  for (size_t i = 0; i < histogram["bucket_count"].size(); ++i) {
    const auto lowest = histogram["bucket_lowest_ns"][i].get<uint64_t>();
    ASSERT_TRUE(rebuilt.AddToBucket(LatencyHistogram::BucketOf(lowest),
                                    histogram["bucket_count"][i].get<uint64_t>()));
  }
  EXPECT_EQ(rebuilt.count(), 100U);
  for (size_t bucket = 0; bucket < LatencyHistogram::kBuckets; ++bucket) {
    ASSERT_EQ(rebuilt.bucket_count(bucket), report.cases[0].latency_histogram.bucket_count(bucket));
  }
  EXPECT_EQ(histogram["sum_ns"].get<uint64_t>(), 90U * 4'000'000 + 9U * 9'000'000 + 18'200'000);
}

TEST(JsonReporterTest, BytesThatAreNotUtf8AreReplaced) {
  const auto json = nlohmann::json::parse(Text(DistributedReport()));
  EXPECT_EQ(json["cases"][1]["errors"][0]["first_message"],
            "User '\x1b[31mb\xEF\xBF\xBD' has exceeded its limit");
}

TEST(JsonReporterTest, ReportWithoutCases) {
  RunReport report = LocalReport();
  report.cases.clear();
  report.failure = absl::NotFoundError("agent a:1: connect: unknown host");
  report.tear_down = absl::InternalError("drop failed");
  report.exit_code = ExitCode::kAgentUnavailable;
  const auto json = nlohmann::json::parse(Text(report));
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_TRUE(json["cases"].is_array());
  EXPECT_EQ(json["cases"].size(), 0U);
  EXPECT_EQ(json["failure"], "agent a:1: connect: unknown host");
  EXPECT_EQ(json["tear_down_failure"], "drop failed");
  EXPECT_EQ(json["exit_code"], 4);
}

void CollectNames(const nlohmann::json& value, std::set<std::string>* names) {
  for (const auto& [name, element] : value.items()) {
    if (value.is_object()) names->insert(name);
    if (element.is_structured()) CollectNames(element, names);
  }
}

TEST(JsonReporterTest, EveryFieldIsDocumented) {
  const absl::StatusOr<std::string> document = ReadFile(DSLAP_DOCS_DIR "/json.md");
  ASSERT_TRUE(document.ok()) << document.status();
  std::set<std::string> names;
  CollectNames(nlohmann::json::parse(Text(DistributedReport())), &names);
  EXPECT_GT(names.size(), 60U);
  for (const std::string& name : names) {
    bool documented = false;
    for (const char* before : {"`", "."}) {
      for (const char* after : {"`", "[]`"}) {
        documented |= absl::StrContains(*document, absl::StrCat(before, name, after));
      }
    }
    EXPECT_TRUE(documented) << name;
  }
}

}  // namespace
}  // namespace dslap
