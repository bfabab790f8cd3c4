#include "controller/report/csv_reporter.h"

#include <sstream>

#include "gtest/gtest.h"
#include "tests/controller/report/golden.h"
#include "tests/controller/report/sample_report.h"

namespace dslap {
namespace {

std::string Csv(const RunReport& report) {
  std::ostringstream out;
  CsvReporter().Write(report, out);
  return out.str();
}

// The form of mariadb-slap 10.11: no engine leaves the first field empty.
TEST(CsvReporterTest, SevenFieldsWithoutHeader) {
  EXPECT_EQ(Csv(LocalReport()), ",mixed,0.200,0.190,0.210,50,40\n");
}

TEST(CsvReporterTest, OneLineForEachCaseThatHasACompleteRound) {
  EXPECT_TRUE(MatchesGolden(Csv(DistributedReport()), "distributed.csv"));
}

TEST(CsvReporterTest, NamesTheLoadType) {
  RunReport report = LocalReport();
  report.load_type = "key";
  report.cases[0].engine = "memory";
  EXPECT_EQ(Csv(report), "memory,key,0.200,0.190,0.210,50,40\n");
}

TEST(CsvReporterTest, NoCompleteRoundNoLine) {
  RunReport report = LocalReport();
  report.cases[0].rounds_complete = 0;
  EXPECT_EQ(Csv(report), "");
}

}  // namespace
}  // namespace dslap
