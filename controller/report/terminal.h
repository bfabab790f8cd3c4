// What the system knows about a terminal: the only part of the report that asks it.
#ifndef DSLAP_CONTROLLER_REPORT_TERMINAL_H_
#define DSLAP_CONTROLLER_REPORT_TERMINAL_H_

#include <cstddef>

namespace dslap {

// True when `fd` is a terminal that can move its cursor (TERM is set and not "dumb").
bool IsTerminal(int fd);

// Columns of the terminal now; 80 when it does not say.
size_t TerminalColumns(int fd);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_TERMINAL_H_
