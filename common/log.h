// Log lines of both programs, on stderr, with time and level. Thread-safe. Where stderr is the
// journal, which has the time itself, the level is told as the journal reads it ("<4>").
//
// One call makes one line: control characters in it are written as \x0a.
//
// Never hand it a password or a statement's data. The controller logs only with -v or on trouble:
// what it tells its user goes through the reporters.
//
//   LogInfo(absl::StrCat("listening on ", address));
#ifndef DSLAP_COMMON_LOG_H_
#define DSLAP_COMMON_LOG_H_

#include "absl/strings/string_view.h"

namespace dslap {

enum class LogLevel { kInfo, kWarning, kError, kOff };

// Whether stderr is the journal of systemd ($JOURNAL_STREAM).
bool LogsToJournal();

// Lines below `level` are dropped. Default: kInfo.
void SetLogLevel(LogLevel level);

void LogInfo(absl::string_view line);
void LogWarning(absl::string_view line);
void LogError(absl::string_view line);

}  // namespace dslap

#endif  // DSLAP_COMMON_LOG_H_
