// Compares a text with a file of tests/golden/.
//
//   EXPECT_TRUE(MatchesGolden(text, "report.txt"));
//
// With DSLAP_UPDATE_GOLDEN=1 in the environment the file is written instead, and the test fails, so
// that no run passes by it unseen.
#ifndef DSLAP_TESTS_CONTROLLER_REPORT_GOLDEN_H_
#define DSLAP_TESTS_CONTROLLER_REPORT_GOLDEN_H_

#include <string>

#include "gtest/gtest.h"

namespace dslap {

testing::AssertionResult MatchesGolden(const std::string& text, const std::string& file);

}  // namespace dslap

#endif  // DSLAP_TESTS_CONTROLLER_REPORT_GOLDEN_H_
