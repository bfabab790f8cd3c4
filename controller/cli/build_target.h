// How the database is reached, as far as it takes more than one option to judge: part of
// build_options.h, for the options of the connection.
#ifndef DSLAP_CONTROLLER_CLI_BUILD_TARGET_H_
#define DSLAP_CONTROLLER_CLI_BUILD_TARGET_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "controller/cli/environment.h"
#include "controller/cli/option_draft.h"

namespace dslap {

// Completes options->target, which begins as the draft's. Reads --password-file. Failures and
// warnings as BuildRunOptions() says.
absl::Status BuildTarget(const OptionDraft& draft, const Environment& environment,
                         std::vector<std::string>* warnings, Options* options);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_BUILD_TARGET_H_
