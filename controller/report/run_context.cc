#include "controller/report/run_context.h"

#include "common/version.h"

namespace dslap {
namespace {

// mysqlslap's CSV names the load type, "mixed" by default, for the user's own queries too.
std::string LoadTypeName(LoadType type) {
  switch (type) {
    case LoadType::kMixed:
      return "mixed";
    case LoadType::kUpdate:
      return "update";
    case LoadType::kWrite:
      return "write";
    case LoadType::kKey:
      return "key";
    case LoadType::kRead:
      return "read";
  }
  return "mixed";
}

}  // namespace

RunContext MakeRunContext(const Options& options, absl::Time started_at) {
  RunContext context;
  context.build = BuildVersion();
  context.command_line = options.command_line;
  context.started_at = absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", started_at, absl::UTCTimeZone());
  context.load_type = LoadTypeName(options.generate.load_type);
  context.insecure = options.insecure;
  context.distributed = !options.agents.empty();
  context.goes_on_after_loss = options.on_agent_loss == AgentLossPolicy::kContinue;
  context.ignored_errors = options.ignored_errors;
  context.ignore_all_errors = options.ignore_all_errors;
  return context;
}

}  // namespace dslap
