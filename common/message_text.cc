#include "common/message_text.h"

#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace dslap {

std::string Quoted(absl::string_view text) {
  constexpr size_t kLongest = 60;
  const bool cut = text.size() > kLongest;
  return absl::StrCat("'", absl::Utf8SafeCEscape(text.substr(0, kLongest)), cut ? "..." : "", "'");
}

bool IsControl(char c) { return absl::ascii_iscntrl(static_cast<unsigned char>(c)); }

}  // namespace dslap
