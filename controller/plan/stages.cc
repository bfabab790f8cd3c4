#include "controller/plan/stages.h"

namespace dslap {

std::vector<std::string> PlanningStages(const Options& options) {
  std::vector<std::string> stages;
  if (options.generate.enabled) {
    stages.emplace_back("Building Create Statements for Auto");
    stages.emplace_back("Building Query Statements for Auto");
    switch (options.generate.load_type) {
      case LoadType::kWrite:
        stages.emplace_back("Generating INSERT Statements for Auto");
        break;
      case LoadType::kKey:
        stages.emplace_back("Generating SELECT for keys Statements for Auto");
        break;
      case LoadType::kRead:
        stages.emplace_back("Generating SELECT Statements for Auto");
        break;
      case LoadType::kMixed:
      case LoadType::kUpdate:
        break;  // mysqlslap has no line for them
    }
  }
  stages.emplace_back("Parsing engines to use.");
  return stages;
}

}  // namespace dslap
