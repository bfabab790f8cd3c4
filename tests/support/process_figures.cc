#include "tests/support/process_figures.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace dslap {

ProcessFigures ReadProcessFigures(pid_t pid) {
  ProcessFigures figures;
  const std::string directory = absl::StrCat("/proc/", pid);
  std::ifstream file(absl::StrCat(directory, "/stat"));
  const std::string stat{std::istreambuf_iterator<char>(file), {}};
  // The name, in parentheses, may contain anything.
  const size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return figures;
  int64_t user_ticks = 0;
  int64_t system_ticks = 0;
  int64_t rss_pages = 0;
  // proc(5): 11 fields after the name until utime, and so on.
  if (std::sscanf(stat.c_str() + name_end + 1,
                  " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld %*d %*d %*d %*d %d %*d %*u "
                  "%*u %ld",
                  &user_ticks, &system_ticks, &figures.threads, &rss_pages) != 4) {
    return figures;
  }
  figures.cpu = absl::Seconds(user_ticks + system_ticks) / sysconf(_SC_CLK_TCK);
  figures.rss_bytes = rss_pages * sysconf(_SC_PAGESIZE);
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory + "/fd", error)) {
    (void)entry;
    ++figures.descriptors;
  }
  return figures;
}

}  // namespace dslap
