// What mysqlslap calls the stages of a run, with -vv. Said by --only-print and by the Coordinator.
#ifndef DSLAP_CONTROLLER_PLAN_STAGES_H_
#define DSLAP_CONTROLLER_PLAN_STAGES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "controller/options.h"

namespace dslap {

// The number of -v from which on stages are said, and what is said beside them.
inline constexpr int kStagesVerbosity = 2;
inline constexpr int kDetailsVerbosity = 3;

// For each engine.
inline constexpr absl::string_view kConcurrencyStage = "Starting Concurrency Test";
// For each round; the second also when there is no key.
inline constexpr absl::string_view kLoadStage = "Loading Pre-data";
inline constexpr absl::string_view kKeysStage = "Generating primary key list";
// With -vvv, for each client.
inline constexpr absl::string_view kConnectedDetail = "connected!";
// For each case.
inline constexpr absl::string_view kStatsStage = "Generating stats";

// What is said before anything is connected to.
std::vector<std::string> PlanningStages(const Options& options);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_PLAN_STAGES_H_
