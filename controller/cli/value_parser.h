// Values of options, from text. Strict: whatever is left over, negative, or too large is an error.
// A failure is INVALID_ARGUMENT, and its message says only what is wrong with the text and how to
// mend it ("'12x' is not a whole number"); the caller adds the option's name.
//
//   ParseNumber("4K")                      -> 4096
//   ParseNumberList("50,100")              -> {50, 100}
#ifndef DSLAP_CONTROLLER_CLI_VALUE_PARSER_H_
#define DSLAP_CONTROLLER_CLI_VALUE_PARSER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "controller/options.h"

namespace dslap {

// Digits and at most one suffix of K, M, G, T, P, E (1024-based, either case).
absl::StatusOr<uint64_t> ParseNumber(absl::string_view text);

// Numbers separated by commas; at least one.
absl::StatusOr<std::vector<uint64_t>> ParseNumberList(absl::string_view text);

// "10s", "500ms", "1m30s", as milliseconds.
absl::StatusOr<uint64_t> ParseDurationMs(absl::string_view text);

// "1", "yes", "true", "on" and their opposites, in any case.
absl::StatusOr<bool> ParseSwitch(absl::string_view text);

// "3", "3:index", and mysqlslap's own "3:1" and "3:0".
struct ColumnCount {
  uint64_t columns = 0;
  bool indexed = false;
};
absl::StatusOr<ColumnCount> ParseColumnCount(absl::string_view text);

// "innodb,memory:max_rows=10". Empty text: no engine.
absl::StatusOr<std::vector<EngineSpec>> ParseEngines(absl::string_view text);

// Error codes separated by commas, "all", or "none".
struct IgnoredErrors {
  bool all = false;
  std::vector<uint32_t> codes;
};
absl::StatusOr<IgnoredErrors> ParseIgnoredErrors(absl::string_view text);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_VALUE_PARSER_H_
