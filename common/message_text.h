// Text of others in messages of ours: what a file, a command line or a peer holds is shown so that
// it makes no second line and hides nothing. Pure.
//
//   absl::StrCat(Quoted(name), " is no option: write NAME = VALUE");
#ifndef DSLAP_COMMON_MESSAGE_TEXT_H_
#define DSLAP_COMMON_MESSAGE_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace dslap {

// `text` quoted, cut when long, control characters escaped.
std::string Quoted(absl::string_view text);

// A line end, an escape, a NUL: ASCII's control characters.
bool IsControl(char c);

}  // namespace dslap

#endif  // DSLAP_COMMON_MESSAGE_TEXT_H_
