// What --debug-info (-T) prints at the end, in the form of MariaDB's mysqlslap.
#ifndef DSLAP_CONTROLLER_DEBUG_INFO_H_
#define DSLAP_CONTROLLER_DEBUG_INFO_H_

#include <sys/resource.h>

#include <string>

namespace dslap {

// "\nUser time 0.07, System time 0.17\nMaximum resident set size 17412, ...": six lines, the first
// of them empty. Sizes are in KiB, as the system counts them. Pure.
std::string FormatDebugInfo(const rusage& usage);

// The same of this process until now.
std::string DebugInfo();

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_DEBUG_INFO_H_
