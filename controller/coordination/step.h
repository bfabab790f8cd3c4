// How a step of a run ended: well, or with what to tell the user and the exit code for it.
#ifndef DSLAP_CONTROLLER_COORDINATION_STEP_H_
#define DSLAP_CONTROLLER_COORDINATION_STEP_H_

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "controller/exit_code.h"

namespace dslap {

struct [[nodiscard]] Step {
  ExitCode code = ExitCode::kValid;
  absl::Status status;    // not OK exactly when `code` is not kValid
  uint32_t sql_code = 0;  // of the statement or connect that failed; 0: it was something else
  bool answered = false;  // a script's agent told how the script ended, whatever ended the step

  bool ok() const { return code == ExitCode::kValid; }

  static Step Done() { return {}; }
  static Step Failed(ExitCode code, absl::Status status) { return {code, std::move(status)}; }
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_STEP_H_
