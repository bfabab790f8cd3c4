#include "common/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>

namespace dslap {
namespace {

spdlog::logger& Logger() {
  // Never destroyed: threads may still log while the program ends.
  static auto* logger = [] {
    auto* made = new spdlog::logger("dslap", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
    made->flush_on(spdlog::level::trace);
    return made;
  }();
  return *logger;
}

void Write(spdlog::level::level_enum level, absl::string_view line) {
  Logger().log(level, spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace

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
