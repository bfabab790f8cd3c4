// What all runs since the agent's start add up to: the source of its metrics.
//
//   RunFigures figures;
//   environment.observer = &figures;
//   const RunFigures::Totals totals = figures.Read();
#ifndef DSLAP_AGENT_METRICS_RUN_FIGURES_H_
#define DSLAP_AGENT_METRICS_RUN_FIGURES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "agent/session/run_observer.h"
#include "common/error_tally.h"
#include "common/histogram.h"

namespace dslap {

// How a run ended, as its agent saw it.
enum class RunEnd { kClosed, kControllerGone, kLeaseExpired, kShutDown, kRunTimeUp, kFailed };
inline constexpr size_t kRunEnds = 6;

// What kind of error a statement or a connect got. Few, and fixed: a server may make up SQLSTATEs.
enum class ErrorClass { kConnection, kTimeout, kConstraint, kRollback, kSyntaxOrAccess, kOther };
inline constexpr size_t kErrorClasses = 6;

RunEnd RunEndOf(const absl::Status& status);
ErrorClass ErrorClassOf(const SqlError& error);

// For labels: "controller_gone", "syntax_or_access", ...
absl::string_view NameOf(RunEnd end);
absl::string_view NameOf(ErrorClass error);

// Thread-safe.
class RunFigures final : public RunObserver {
 public:
  struct Totals {
    bool busy = false;
    std::array<uint64_t, kRunEnds> runs = {};
    uint64_t rounds = 0;                // whose gate opened
    uint64_t clients = 0;               // of the round that is prepared or runs
    uint64_t clients_connected = 0;     // now, or kept from round to round
    uint64_t statements_succeeded = 0;  // those of the round that runs among them
    // Of rounds that have ended, like all below.
    uint64_t statements_failed = 0;
    uint64_t statements_interrupted = 0;
    std::array<uint64_t, kErrorClasses> errors = {};
    uint64_t reconnects = 0;
    LatencyHistogram latency;
  };

  Totals Read() const ABSL_LOCKS_EXCLUDED(mu_);

  void RunBegan() override ABSL_LOCKS_EXCLUDED(mu_);
  void RunEnded(const absl::Status& status) override ABSL_LOCKS_EXCLUDED(mu_);
  void Connecting(uint64_t clients_connected) override ABSL_LOCKS_EXCLUDED(mu_);
  void RoundPrepared(const PrepareOutcome& outcome) override ABSL_LOCKS_EXCLUDED(mu_);
  void RoundRunning(const LiveCounters& counters) override ABSL_LOCKS_EXCLUDED(mu_);
  void RoundEnded(const RoundOutcome& outcome) override ABSL_LOCKS_EXCLUDED(mu_);

 private:
  void Add(const ErrorTally& errors) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  mutable absl::Mutex mu_;
  Totals totals_ ABSL_GUARDED_BY(mu_);  // without the round that runs
  uint64_t running_succeeded_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_METRICS_RUN_FIGURES_H_
