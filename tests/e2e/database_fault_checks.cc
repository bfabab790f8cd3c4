#include "tests/e2e/database_fault_checks.h"

#include <nlohmann/json.hpp>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "tests/e2e/e2e_checks.h"
#include "tests/support/sandbox_database.h"

namespace dslap {

FaultReport::FaultReport(const ProcessResult& result) {
  const auto json = nlohmann::json::parse(result.out, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded() || json["cases"].size() != 1) {
    ADD_FAILURE() << "no report of one case: " << result.out << result.err;
    return;
  }
  const auto& one = json["cases"][0];
  succeeded_ = one["statements_succeeded"].get<uint64_t>();
  failed_ = one["statements_failed"].get<uint64_t>();
  reconnects_ = one["reconnects"].get<uint64_t>();
}

uint64_t CountRows(const std::string& table) {
  uint64_t rows = 0;
  EXPECT_TRUE(
      absl::SimpleAtoi(Sandbox().Value(absl::StrCat("SELECT COUNT(*) FROM ", table)), &rows));
  return rows;
}

bool WaitUntilRows(const std::string& table, uint64_t rows) {
  // Each look starts a client program, which takes its time: no pause is needed between them.
  const absl::Time deadline = absl::Now() + absl::Seconds(30);
  while (absl::Now() < deadline) {
    const ProcessResult look =
        RunProcess({.argv = {"mariadb", "--no-defaults", "--batch", "--skip-column-names",
                             absl::StrCat("--socket=", Sandbox().socket()), "--user=root",
                             absl::StrCat("--execute=SELECT COUNT(*) FROM ", table)}},
                   kFewSeconds);
    uint64_t count = 0;
    if (absl::SimpleAtoi(look.out, &count) && count >= rows) return true;
  }
  return false;
}

}  // namespace dslap
