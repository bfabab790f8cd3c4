#include "common/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/message_text.h"

namespace dslap {
namespace {

spdlog::logger& Logger() {
  // Never destroyed: threads may still log while the program ends.
  static auto* logger = [] {
    auto* made = new spdlog::logger("dslap", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern(LogsToJournal() ? "%v" : "%Y-%m-%dT%H:%M:%S.%e%z %l %v");
    made->flush_on(spdlog::level::trace);
    return made;
  }();
  return *logger;
}

// As syslog(3) numbers the levels.
absl::string_view JournalPrefix(spdlog::level::level_enum level) {
  if (level >= spdlog::level::err) return "<3>";
  return level == spdlog::level::warn ? "<4>" : "<6>";
}

// One call is one line, whatever a peer has put into it.
std::string InOneLine(absl::string_view text) {
  std::string line;
  for (const char c : text) {
    if (IsControl(c)) {
      absl::StrAppend(&line, "\\x", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
    } else {
      line += c;
    }
  }
  return line;
}

void Write(spdlog::level::level_enum level, absl::string_view line) {
  static const bool to_journal = LogsToJournal();
  std::string text;
  if (std::any_of(line.begin(), line.end(), IsControl)) line = text = InOneLine(line);
  std::string prefixed;
  if (to_journal) line = prefixed = absl::StrCat(JournalPrefix(level), line);
  Logger().log(level, spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace

bool LogsToJournal() {
  const char* const journal = std::getenv("JOURNAL_STREAM");
  struct stat about {};
  return journal != nullptr && fstat(STDERR_FILENO, &about) == 0 &&
         absl::StrCat(about.st_dev, ":", about.st_ino) == journal;
}

void SetLogLevel(LogLevel level) {
  switch (level) {
    case LogLevel::kInfo:
      Logger().set_level(spdlog::level::info);
      break;
    case LogLevel::kWarning:
      Logger().set_level(spdlog::level::warn);
      break;
    case LogLevel::kError:
      Logger().set_level(spdlog::level::err);
      break;
    case LogLevel::kOff:
      Logger().set_level(spdlog::level::off);
      break;
  }
}

void LogInfo(absl::string_view line) { Write(spdlog::level::info, line); }
void LogWarning(absl::string_view line) { Write(spdlog::level::warn, line); }
void LogError(absl::string_view line) { Write(spdlog::level::err, line); }

}  // namespace dslap
