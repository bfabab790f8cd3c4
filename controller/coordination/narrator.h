// Tells what a run is doing while it does it, for -vv and -vvv, and what its user should know
// before it is over. Called by the Coordinator, shown by VerboseNarrator
// (report/verbose_narrator.h).
#ifndef DSLAP_CONTROLLER_COORDINATION_NARRATOR_H_
#define DSLAP_CONTROLLER_COORDINATION_NARRATOR_H_

#include "absl/strings/string_view.h"

namespace dslap {

// Called on the coordinator's thread, which keeps the leases alive: must not wait.
class Narrator {
 public:
  virtual ~Narrator() = default;
  // -vv and above: a line in mysqlslap's words (plan/stages.h).
  virtual void Stage(absl::string_view text) = 0;
  // -vvv: a line of another kind than a statement.
  virtual void Detail(absl::string_view text) = 0;
  // -vvv: an SQL statement, as it is sent or as each client executes it.
  virtual void Statement(absl::string_view text) = 0;
  // Always: the run goes on, but not as it was asked for.
  virtual void Warning(absl::string_view text) = 0;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_NARRATOR_H_
