// Any text as an option file: what comes out names lines that are there, and no warning or error
// repeats a value, as any value may be a password.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "controller/cli/option_file.h"
#include "tests/fuzz/check.h"

namespace dslap {
namespace {

constexpr absl::string_view kSecret = "Zq7SecretThatNobodyGuesses";

void CheckItems(const std::vector<OptionFileItem>& items, int lines) {
  int last = 1;
  for (const OptionFileItem& item : items) {
    const int line = std::visit([](const auto& kind) { return kind.line; }, item);
    DSLAP_FUZZ_CHECK(line >= last && line <= lines);
    last = line;
    if (const auto* entry = std::get_if<OptionFileEntry>(&item)) {
      DSLAP_FUZZ_CHECK(entry->file == "f.cnf");
      DSLAP_FUZZ_CHECK(entry->name.find('\n') == std::string::npos);
    }
  }
}

void CheckParse(const std::string& text) {
  const int lines = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
  std::vector<std::string> warnings;
  const auto items = ParseOptionFile(text, "f.cnf", &warnings);
  if (items.ok()) {
    CheckItems(*items, lines);
  } else {
    DSLAP_FUZZ_CHECK(absl::StatusCode::kInvalidArgument == items.status().code());
    DSLAP_FUZZ_CHECK(items.status().message().substr(0, 6) == "f.cnf:");
  }
}

// The secret becomes the beginning of every value.
std::string WithSecrets(absl::string_view text) {
  std::string result;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const absl::string_view stripped = absl::StripLeadingAsciiWhitespace(line);
    const size_t equals = line.find('=');
    // A group's name and a path are no secrets.
    const bool option = !absl::StartsWith(stripped, "[") && !absl::StartsWith(stripped, "!include");
    if (option && equals != absl::string_view::npos) {
      absl::StrAppend(&result, line.substr(0, equals + 1), kSecret, line.substr(equals + 1), "\n");
    } else {
      absl::StrAppend(&result, line, "\n");
    }
  }
  return result;
}

void CheckKeepsSecrets(absl::string_view text) {
  std::vector<std::string> warnings;
  const auto items = ParseOptionFile(WithSecrets(text), "f.cnf", &warnings);
  for (const std::string& warning : warnings) {
    DSLAP_FUZZ_CHECK(!absl::StrContains(warning, kSecret));
  }
  DSLAP_FUZZ_CHECK(!absl::StrContains(items.status().message(), kSecret));
}

}  // namespace
}  // namespace dslap

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  dslap::CheckParse(text);
  dslap::CheckKeepsSecrets(text);
  return 0;
}
