#include "controller/coordination/preflight.h"

#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/mutex.h"
#include "common/version.h"

namespace dslap {
namespace {

// Outlives AskAll(): an answer may come after the wait was given up.
struct Collector {
  absl::Mutex mu;
  std::vector<AgentAnswer> answers ABSL_GUARDED_BY(mu);
  size_t missing ABSL_GUARDED_BY(mu) = 0;
};

absl::Status CheckAnswer(const AgentAnswer& answer) {
  const std::string who = absl::StrCat("agent ", answer.name);
  if (!answer.info.ok()) {
    return absl::Status(answer.info.status().code(),
                        absl::StrCat(who, ": ", answer.info.status().message()));
  }
  if (absl::Status status = CheckProtocol(answer.info->protocol(), answer.info->build(), who);
      !status.ok()) {
    return status;
  }
  if (!answer.info->has_active_run()) return absl::OkStatus();
  const v1::ActiveRun& run = answer.info->active_run();
  return absl::ResourceExhaustedError(absl::StrFormat(
      "%s: busy with run %s of %s since %.0f s: wait for it, or use another agent", who,
      run.run_id(), run.controller(), static_cast<double>(run.age_ns()) / 1e9));
}

}  // namespace

std::vector<AgentAnswer> AskAll(const std::vector<AgentLink*>& links, absl::Duration timeout,
                                Clock* clock) {
  return AskAll(links, timeout, clock, {});
}

std::vector<AgentAnswer> AskAll(const std::vector<AgentLink*>& links, absl::Duration timeout,
                                Clock* clock, const AnswerWait& wait) {
  auto collector = std::make_shared<Collector>();
  {
    absl::MutexLock lock(&collector->mu);
    collector->answers.resize(links.size());
    collector->missing = links.size();
    for (size_t i = 0; i < links.size(); ++i) collector->answers[i].name = links[i]->name();
  }
  const int64_t asked_at_ns = clock->NowNs();
  for (size_t i = 0; i < links.size(); ++i) {
    links[i]->GetInfo(timeout, [collector, i, asked_at_ns, clock, on_answer = wait.on_answer](
                                   absl::StatusOr<v1::GetInfoResponse> info) {
      const int64_t now_ns = clock->NowNs();
      {
        absl::MutexLock lock(&collector->mu);
        collector->answers[i].info = std::move(info);
        collector->answers[i].round_trip_ns = now_ns - asked_at_ns;
        --collector->missing;
      }
      if (on_answer) on_answer();
    });
  }
  // Links keep to the timeout themselves; the margin is for their answer to arrive.
  const int64_t deadline_ns = asked_at_ns + absl::ToInt64Nanoseconds(timeout + absl::Seconds(2));
  if (wait.await) {
    wait.await(
        [&] {
          absl::MutexLock lock(&collector->mu);
          return collector->missing == 0;
        },
        deadline_ns);
  }
  absl::MutexLock lock(&collector->mu);
  if (wait.await) return collector->answers;
  const auto all_answered = [&]() ABSL_SHARED_LOCKS_REQUIRED(collector->mu) {
    return collector->missing == 0;
  };
  clock->AwaitUntil(&collector->mu, absl::Condition(&all_answered), deadline_ns);
  return collector->answers;
}

std::vector<absl::Status> CheckAnswers(const std::vector<AgentAnswer>& answers) {
  std::vector<absl::Status> of_agents;
  of_agents.reserve(answers.size());
  for (const AgentAnswer& answer : answers) of_agents.push_back(CheckAnswer(answer));
  return of_agents;
}

absl::Status JoinProblems(const std::vector<absl::Status>& of_agents) {
  std::vector<std::string> problems;
  absl::StatusCode code = absl::StatusCode::kOk;
  for (const absl::Status& status : of_agents) {
    if (status.ok()) continue;
    if (code == absl::StatusCode::kOk) code = status.code();
    problems.emplace_back(status.message());
  }
  return absl::Status(code, absl::StrJoin(problems, "; "));
}

}  // namespace dslap
