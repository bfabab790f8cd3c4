// Numbers as a person reads them, each with its unit. Used by every text that dslap prints; files
// for programs (CSV, JSON) carry plain numbers.
//
// Pure.
#ifndef DSLAP_CONTROLLER_REPORT_UNITS_H_
#define DSLAP_CONTROLLER_REPORT_UNITS_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace dslap {

// Three significant digits in ns, us, ms or s: "850 ns", "4.81 ms", "12.3 s", "3600 s". ASCII, so
// that it is one column for each byte on any terminal.
std::string FormatDuration(double ns);

// "9345.8" from 100 on, "4.27" below.
std::string FormatRate(double per_second);

// Binary: "512 MiB", "7.8 GiB".
std::string FormatBytes(uint64_t bytes);

// "12%", "0.4%", from a share of 0 to 1.
std::string FormatPercent(double share);

// "1 client", "50 clients".
std::string Count(uint64_t count, absl::string_view noun);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_UNITS_H_
