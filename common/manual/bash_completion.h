// The completion of a program's command line for bash.
#ifndef DSLAP_COMMON_MANUAL_BASH_COMPLETION_H_
#define DSLAP_COMMON_MANUAL_BASH_COMPLETION_H_

#include <string>

#include "common/manual/option_entry.h"

namespace dslap {

// A script to be sourced by bash; it needs nothing but bash itself. Options are completed with
// their names, values with those of a closed set, with files, directories or hosts.
std::string BashCompletion(const ProgramManual& manual);

}  // namespace dslap

#endif  // DSLAP_COMMON_MANUAL_BASH_COMPLETION_H_
