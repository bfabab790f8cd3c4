// Whether what an agent says belongs to what it was asked. Pure.
//
// A stream keeps its order, and a round or script ends before the next is asked for: an answer with
// another number, or one that comes twice, is no late one. Its sender is broken or of a build that
// does not fit, and its figures are not to be mixed with those of others.
//
//   asked.BeginRound(3);
//   RETURN_IF_ERROR(asked.Take(response));
#ifndef DSLAP_CONTROLLER_COORDINATION_ANSWER_CHECK_H_
#define DSLAP_CONTROLLER_COORDINATION_ANSWER_CHECK_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// Of one agent. Not thread-safe.
class AnswerCheck {
 public:
  void BeginRound(uint64_t round);
  void BeginScript(uint64_t script, uint64_t statements);

  // INTERNAL "sent RoundDone of round 2, which ..." when nothing like this message is waited for.
  absl::Status Take(const v1::RunResponse& response);

 private:
  absl::Status TakeScriptDone(const v1::ScriptDone& done);
  absl::Status CheckRound(absl::string_view message, uint64_t round) const;
  absl::Status TakeOnce(absl::string_view message, uint64_t round, bool* taken);

  uint64_t script_ = 0;
  uint64_t script_statements_ = 0;
  bool script_done_ = true;
  uint64_t round_ = 0;
  bool ready_ = false;
  bool started_ = false;
  bool done_ = false;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_ANSWER_CHECK_H_
