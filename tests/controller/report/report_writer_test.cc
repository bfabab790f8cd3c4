#include "controller/report/report_writer.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "common/status_util.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/controller/report/golden.h"
#include "tests/controller/report/sample_report.h"

namespace dslap {
namespace {

constexpr char kCsvLine[] = ",mixed,0.200,0.190,0.210,50,40\n";

class ReportWriterTest : public testing::Test {
 protected:
  ReportWriterTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "dslap_writer.XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
  }
  ~ReportWriterTest() override { std::filesystem::remove_all(directory_); }

  std::string Path(const std::string& name) const { return (directory_ / name).string(); }

  // Standard output of a run with these options.
  std::string Output(const Options& options) {
    std::ostringstream out;
    auto writer = ReportWriter::Open(options, &out);
    if (!writer.ok()) return std::string{writer.status().message()};
    style_ = (*writer)->message_style();
    const absl::Status written = (*writer)->Write(LocalReport());
    EXPECT_TRUE(written.ok()) << written;
    return out.str();
  }

  std::filesystem::path directory_;
  MessageStyle style_;
};

TEST_F(ReportWriterTest, TextByDefault) {
  EXPECT_TRUE(MatchesGolden(Output(Options()), "local.txt"));
  EXPECT_TRUE(style_.text_shown);
  EXPECT_FALSE(style_.silent);
}

TEST_F(ReportWriterTest, ClassicHasNoVerdict) {
  Options options;
  options.classic = true;
  const std::string out = Output(options);
  EXPECT_TRUE(absl::StartsWith(out, "Benchmark\n"));
  EXPECT_TRUE(absl::EndsWith(out, "\tAverage number of queries per client: 40\n\n"));
  EXPECT_FALSE(style_.text_shown);
}

TEST_F(ReportWriterTest, SilentPrintsNothing) {
  Options options;
  options.silent = true;
  EXPECT_EQ(Output(options), "");
  EXPECT_FALSE(style_.text_shown);
  EXPECT_TRUE(style_.silent);
}

// As mysqlslap does: --silent is about the text.
TEST_F(ReportWriterTest, SilentStillWritesWhatWasAskedFor) {
  Options options;
  options.silent = true;
  options.csv_file = "";
  EXPECT_EQ(Output(options), kCsvLine);
}

TEST_F(ReportWriterTest, CsvOnStandardOutputSilencesTheText) {
  Options options;
  options.csv_file = "";
  EXPECT_EQ(Output(options), kCsvLine);
  EXPECT_FALSE(style_.text_shown);
}

TEST_F(ReportWriterTest, CsvFileIsAppendedToAndSilencesTheText) {
  Options options;
  options.csv_file = Path("a.csv");
  EXPECT_EQ(Output(options), "");
  EXPECT_EQ(Output(options), "");
  EXPECT_EQ(ReadFile(Path("a.csv")).value(), std::string(kCsvLine) + kCsvLine);
}

TEST_F(ReportWriterTest, JsonOnStandardOutputSilencesTheText) {
  Options options;
  options.json_file = "";
  EXPECT_TRUE(MatchesGolden(Output(options), "local.json"));
  EXPECT_FALSE(style_.text_shown);
}

TEST_F(ReportWriterTest, JsonFileKeepsTheTextAndIsReplaced) {
  Options options;
  options.json_file = Path("a.json");
  std::ofstream(Path("a.json")) << std::string(100'000, 'x');
  EXPECT_TRUE(MatchesGolden(Output(options), "local.txt"));
  EXPECT_TRUE(style_.text_shown);
  EXPECT_TRUE(MatchesGolden(ReadFile(Path("a.json")).value(), "local.json"));
}

TEST_F(ReportWriterTest, CsvOnStandardOutputBesideAJsonFile) {
  Options options;
  options.csv_file = "";
  options.json_file = Path("a.json");
  EXPECT_EQ(Output(options), kCsvLine);
  EXPECT_TRUE(MatchesGolden(ReadFile(Path("a.json")).value(), "local.json"));
}

TEST_F(ReportWriterTest, FileThatCannotBeOpenedIsFoundBeforeTheRun) {
  Options options;
  options.json_file = Path("no/a.json");
  std::ostringstream out;
  const auto writer = ReportWriter::Open(options, &out);
  EXPECT_EQ(writer.status().code(), absl::StatusCode::kNotFound);
}

// What a report is at the end, whenever its cases were written.
TEST_F(ReportWriterTest, CasesAreWrittenAsTheyFinish) {
  Options options;
  options.json_file = Path("a.json");
  std::ostringstream out;
  auto writer = ReportWriter::Open(options, &out);
  ASSERT_TRUE(writer.ok()) << writer.status();
  RunReport so_far = DistributedReport();
  const std::vector<CaseReport> cases = so_far.cases;
  ASSERT_EQ(cases.size(), 3u);
  so_far.cases = {cases[0]};
  (*writer)->WriteCases(so_far);
  const std::string first = out.str();
  EXPECT_TRUE(absl::StartsWith(first, "Benchmark\n"));
  EXPECT_TRUE(absl::EndsWith(first, "\n\n"));
  EXPECT_EQ(first.find("Benchmark", 1), std::string::npos);
  EXPECT_EQ(ReadFile(Path("a.json")).value(), "");
  (*writer)->WriteCases(so_far);
  EXPECT_EQ(out.str(), first);
  EXPECT_EQ((*writer)->Write(DistributedReport()), absl::OkStatus());
  EXPECT_TRUE(MatchesGolden(out.str(), "distributed.txt"));
  EXPECT_TRUE(MatchesGolden(ReadFile(Path("a.json")).value(), "distributed.json"));
}

TEST_F(ReportWriterTest, CsvLinesAreInTheFileAsTheCasesFinish) {
  Options options;
  options.csv_file = Path("a.csv");
  std::ostringstream out;
  auto writer = ReportWriter::Open(options, &out);
  ASSERT_TRUE(writer.ok()) << writer.status();
  (*writer)->WriteCases(LocalReport());
  EXPECT_EQ(ReadFile(Path("a.csv")).value(), kCsvLine);
}

TEST_F(ReportWriterTest, FailureToWriteACaseIsToldAtTheEnd) {
  Options options;
  options.csv_file = "/dev/full";
  std::ostringstream out;
  auto writer = ReportWriter::Open(options, &out);
  ASSERT_TRUE(writer.ok()) << writer.status();
  (*writer)->WriteCases(LocalReport());
  EXPECT_EQ((*writer)->Write(LocalReport()).message(),
            "cannot write the report to /dev/full: No space left on device");
}

// A full disk under the CSV file must not cost the JSON file as well.
TEST_F(ReportWriterTest, EveryOutputIsTried) {
  Options options;
  options.csv_file = "/dev/full";
  options.json_file = Path("a.json");
  std::ostringstream out;
  auto writer = ReportWriter::Open(options, &out);
  ASSERT_TRUE(writer.ok()) << writer.status();
  EXPECT_EQ((*writer)->Write(LocalReport()).message(),
            "cannot write the report to /dev/full: No space left on device");
  EXPECT_TRUE(MatchesGolden(ReadFile(Path("a.json")).value(), "local.json"));
}

TEST_F(ReportWriterTest, StandardOutputThatFailsIsReported) {
  std::ofstream out("/dev/full");
  auto writer = ReportWriter::Open(Options(), &out);
  ASSERT_TRUE(writer.ok()) << writer.status();
  EXPECT_EQ((*writer)->Write(LocalReport()).message(),
            "cannot write the report to standard output: No space left on device");
}

}  // namespace
}  // namespace dslap
