// What dslap sends to a server otherwise than mysqlslap, on purpose: each difference with its
// reason and pinned to the lines that it is about.
#ifndef DSLAP_TESTS_COMPAT_GENERAL_LOG_DIFFERENCES_H_
#define DSLAP_TESTS_COMPAT_GENERAL_LOG_DIFFERENCES_H_

#include <functional>
#include <string>
#include <vector>

#include "tests/compat/general_log.h"

namespace dslap {

struct LogDifference {
  std::string name;
  std::string reason;
  // Takes it away from the two logs; false when it was not there.
  std::function<bool(ServerLog* reference, ServerLog* own)> take_away;
};

// In the order in which they are to be taken away; a run names those that it must show.
const std::vector<LogDifference>& LogDifferences();

}  // namespace dslap

#endif  // DSLAP_TESTS_COMPAT_GENERAL_LOG_DIFFERENCES_H_
