// The last step of reading the command line: what needs more than one option to judge, defaults
// that depend on others, and the files that options name.
#ifndef DSLAP_CONTROLLER_CLI_BUILD_OPTIONS_H_
#define DSLAP_CONTROLLER_CLI_BUILD_OPTIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "controller/cli/environment.h"
#include "controller/cli/option_draft.h"

namespace dslap {

// For Command::kRun. The first contradiction found is the failure, INVALID_ARGUMENT with the
// complete message; what is merely without effect, or was mended, is a line in `warnings`.
absl::StatusOr<Options> BuildRunOptions(OptionDraft draft, const Environment& environment,
                                        std::vector<std::string>* warnings);

// For Command::kAgents: only the agents' own options are taken.
absl::StatusOr<Options> BuildAgentsOptions(OptionDraft draft, const Environment& environment);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_BUILD_OPTIONS_H_
