// Fills the parts of a manual page that are generated into the one that is written by hand.
//
//   FillPage("...\n.SH OPTIONS\n@OPTIONS@\n", {{"OPTIONS", RoffOptions(options)}})
#ifndef DSLAP_COMMON_MANUAL_PAGE_TEMPLATE_H_
#define DSLAP_COMMON_MANUAL_PAGE_TEMPLATE_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dslap {

// Every "@NAME@" of capitals is replaced by what `parts` has for NAME, without the newline at its
// end. INVALID_ARGUMENT for a name that `parts` does not have.
absl::StatusOr<std::string> FillPage(absl::string_view page,
                                     const std::map<std::string, std::string>& parts);

}  // namespace dslap

#endif  // DSLAP_COMMON_MANUAL_PAGE_TEMPLATE_H_
