#include "controller/report/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace dslap {

bool IsTerminal(int fd) {
  const char* term = std::getenv("TERM");
  return term != nullptr && *term != '\0' && std::string_view(term) != "dumb" && isatty(fd) == 1;
}

size_t TerminalColumns(int fd) {
  winsize size = {};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): the system's interface.
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace dslap
