#include "controller/debug_info.h"

#include "absl/strings/str_format.h"

namespace dslap {
namespace {

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

std::string FormatDebugInfo(const rusage& usage) {
  return absl::StrFormat(
      "\nUser time %.2f, System time %.2f\n"
      "Maximum resident set size %d, Integral resident set size %d\n"
      "Non-physical pagefaults %d, Physical pagefaults %d, Swaps %d\n"
      "Blocks in %d out %d, Messages in %d out %d, Signals %d\n"
      "Voluntary context switches %d, Involuntary context switches %d\n",
      Seconds(usage.ru_utime), Seconds(usage.ru_stime), usage.ru_maxrss, usage.ru_idrss,
      usage.ru_minflt, usage.ru_majflt, usage.ru_nswap, usage.ru_inblock, usage.ru_oublock,
      usage.ru_msgsnd, usage.ru_msgrcv, usage.ru_nsignals, usage.ru_nvcsw, usage.ru_nivcsw);
}

std::string DebugInfo() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return FormatDebugInfo(usage);
}

}  // namespace dslap
