// Prints what a run is doing, each thing on a line of its own, as mysqlslap does on its standard
// output.
//
//   VerboseNarrator narrator(options.verbosity, &std::cout);
#ifndef DSLAP_CONTROLLER_REPORT_VERBOSE_NARRATOR_H_
#define DSLAP_CONTROLLER_REPORT_VERBOSE_NARRATOR_H_

#include <ostream>

#include "absl/strings/string_view.h"
#include "controller/coordination/narrator.h"

namespace dslap {

// Not thread-safe.
class VerboseNarrator final : public Narrator {
 public:
  // `verbosity`: the number of -v; one is the same as none, as in mysqlslap. `out` must outlive the
  // narrator.
  VerboseNarrator(int verbosity, std::ostream* out) : verbosity_(verbosity), out_(out) {}

  void Stage(absl::string_view text) override;
  void Detail(absl::string_view text) override;
  void Statement(absl::string_view text) override;

 private:
  const int verbosity_;
  std::ostream* const out_;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_VERBOSE_NARRATOR_H_
