// Prints what a run is doing, each thing on a line of its own, as mysqlslap does on its standard
// output; warnings, however few -v there are, where messages go.
//
//   VerboseNarrator narrator(options.verbosity, &std::cout, &std::cerr);
#ifndef DSLAP_CONTROLLER_REPORT_VERBOSE_NARRATOR_H_
#define DSLAP_CONTROLLER_REPORT_VERBOSE_NARRATOR_H_

#include <ostream>

#include "absl/strings/string_view.h"
#include "controller/coordination/narrator.h"

namespace dslap {

// Not thread-safe.
class VerboseNarrator final : public Narrator {
 public:
  // `verbosity`: the number of -v; one is the same as none, as in mysqlslap. `out` and `messages`
  // must outlive the narrator.
  VerboseNarrator(int verbosity, std::ostream* out, std::ostream* messages)
      : verbosity_(verbosity), out_(out), messages_(messages) {}

  void Stage(absl::string_view text) override;
  void Detail(absl::string_view text) override;
  void Statement(absl::string_view text) override;
  void Warning(absl::string_view text) override;

 private:
  const int verbosity_;
  std::ostream* const out_;
  std::ostream* const messages_;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_VERBOSE_NARRATOR_H_
