#include "tests/controller/report/golden.h"

#include <cstdlib>
#include <fstream>

#include "absl/status/statusor.h"
#include "common/status_util.h"

namespace dslap {

testing::AssertionResult MatchesGolden(const std::string& text, const std::string& file) {
  const std::string path = DSLAP_GOLDEN_DIR "/" + file;
  if (std::getenv("DSLAP_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    return testing::AssertionFailure() << "wrote " << path << "; read it, then run without "
                                       << "DSLAP_UPDATE_GOLDEN";
  }
  const absl::StatusOr<std::string> golden = ReadFile(path);
  if (!golden.ok()) return testing::AssertionFailure() << golden.status();
  if (text == *golden) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "differs from " << path << ":\n" << text;
}

}  // namespace dslap
