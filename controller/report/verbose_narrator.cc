#include "controller/report/verbose_narrator.h"

#include "controller/plan/stages.h"

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

}  // namespace dslap
