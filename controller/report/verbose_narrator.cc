#include "controller/report/verbose_narrator.h"

#include "controller/plan/stages.h"
#include "controller/report/terminal_text.h"

namespace dslap {

void VerboseNarrator::Stage(absl::string_view text) {
  if (verbosity_ >= kStagesVerbosity) *out_ << text << '\n' << std::flush;
}

void VerboseNarrator::Detail(absl::string_view text) {
  if (verbosity_ >= kDetailsVerbosity) *out_ << text << '\n' << std::flush;
}

void VerboseNarrator::Statement(absl::string_view text) {
  if (verbosity_ >= kDetailsVerbosity) *out_ << text << ";\n" << std::flush;
}

void VerboseNarrator::Warning(absl::string_view text) {
  *messages_ << "dslap: warning: " << ForTerminal(text) << std::endl;
}

}  // namespace dslap
