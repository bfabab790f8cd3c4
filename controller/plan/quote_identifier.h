// `name` as an SQL identifier: in back-ticks, its own back-ticks doubled.
#ifndef DSLAP_CONTROLLER_PLAN_QUOTE_IDENTIFIER_H_
#define DSLAP_CONTROLLER_PLAN_QUOTE_IDENTIFIER_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"

namespace dslap {

inline std::string QuoteIdentifier(absl::string_view name) {
  return absl::StrCat("`", absl::StrReplaceAll(name, {{"`", "``"}}), "`");
}

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_PLAN_QUOTE_IDENTIFIER_H_
