// What a placeholder such as "FILE" or "stop|continue" says of the value that it stands for.
#ifndef DSLAP_COMMON_MANUAL_VALUE_KIND_H_
#define DSLAP_COMMON_MANUAL_VALUE_KIND_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace dslap {

enum class ValueKind { kOther, kFile, kDirectory, kHost };

// FILE and PATH, alone or as one of several: a file; DIR: a directory; HOST in front: a host.
ValueKind KindOfPlaceholder(absl::string_view placeholder);

// The words to be written as they stand: {"all", "none"} of "CODE,...|all|none".
std::vector<std::string> LiteralChoices(absl::string_view placeholder);

// Whether several values may be joined by commas: "NAME,...".
bool IsList(absl::string_view placeholder);

}  // namespace dslap

#endif  // DSLAP_COMMON_MANUAL_VALUE_KIND_H_
