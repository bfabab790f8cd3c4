#include "controller/report/units.h"

#include <array>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace dslap {
namespace {

// Three significant digits of a value from 0 to 999.5 and, for the largest unit, any above.
std::string ThreeDigits(double value) {
  if (value < 9.995) return absl::StrFormat("%.2f", value);
  if (value < 99.95) return absl::StrFormat("%.1f", value);
  return absl::StrFormat("%.0f", value);
}

}  // namespace

std::string FormatDuration(double ns) {
  if (ns < 999.5) return absl::StrFormat("%.0f ns", ns);
  // The limit is where three digits would round up to 1000 of the smaller unit.
  if (ns < 999.5e3) return absl::StrCat(ThreeDigits(ns / 1e3), " us");
  if (ns < 999.5e6) return absl::StrCat(ThreeDigits(ns / 1e6), " ms");
  return absl::StrCat(ThreeDigits(ns / 1e9), " s");
}

std::string FormatRate(double per_second) {
  return per_second < 99.995 ? absl::StrFormat("%.2f", per_second)
                             : absl::StrFormat("%.1f", per_second);
}

std::string FormatBytes(uint64_t bytes) {
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  size_t unit = 0;
  double value = static_cast<double>(bytes);
  while (value >= 1023.5 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  const bool fraction = unit > 0 && value < 99.95;
  return fraction ? absl::StrFormat("%.1f %s", value, kUnits[unit])
                  : absl::StrFormat("%.0f %s", value, kUnits[unit]);
}

std::string FormatPercent(double share) {
  const double percent = share * 100;
  return percent > 0 && percent < 9.95 ? absl::StrFormat("%.1f%%", percent)
                                       : absl::StrFormat("%.0f%%", percent);
}

std::string Count(uint64_t count, absl::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

}  // namespace dslap
