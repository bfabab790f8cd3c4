#include "controller/report/verdict.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "controller/report/count_check.h"
#include "controller/report/terminal_text.h"
#include "controller/report/units.h"

namespace dslap {
namespace {

constexpr double kSaturatedShare = 0.85;
constexpr double kShortestForCpuSeconds = 0.1;
constexpr double kManyIgnoredShare = 0.01;

std::string CaseName(const CaseReport& report) {
  const std::string clients = Count(report.clients_asked, "client");
  return report.engine.empty() ? clients : absl::StrCat(report.engine, ", ", clients);
}

uint64_t UnconnectedClients(const CaseReport& report) {
  const bool tried = std::any_of(report.rounds.begin(), report.rounds.end(),
                                 [](const RoundReport& round) { return round.measured; }) ||
                     !report.connect_errors.empty();
  return tried && report.clients_connected < report.clients_asked
             ? report.clients_asked - report.clients_connected
             : 0;
}

// Of complete rounds with all their clients: a client gave up on its way.
uint64_t NeverExecuted(const CaseReport& report) {
  uint64_t missing = 0;
  for (const RoundReport& round : report.rounds) {
    const uint64_t executed = round.statements + round.failed;
    if (round.complete && round.clients_connected == report.clients_asked &&
        executed < round.statements_planned) {
      missing += round.statements_planned - executed;
    }
  }
  return missing;
}

const AgentCaseReport* BusiestAgent(const CaseReport& report) {
  const auto busiest = std::max_element(report.agents.begin(), report.agents.end(),
                                        [](const AgentCaseReport& a, const AgentCaseReport& b) {
                                          return a.process_cpu < b.process_cpu;
                                        });
  return busiest == report.agents.end() ? nullptr : &*busiest;
}

std::string MostFrequent(const ErrorTally& errors) {
  if (errors.empty()) return "";
  const ErrorTally::Entry entry = errors.entries().front();
  return absl::StrCat(" (", errors.entries().size() > 1 ? "most often " : "", entry.first.code, "/",
                      entry.first.sqlstate, ")");
}

class Examination {
 public:
  explicit Examination(const RunReport& report) : report_(report) {}

  Judgement Finish() {
    LookForInvalid();
    LookForMiscounts();
    LookForShortfall();
    LookForFailures();
    LookForDistortion();
    judgement_.exit_code = ChooseExitCode();
    return std::move(judgement_);
  }

 private:
  void Add(Verdict verdict, std::string reason) {
    judgement_.verdict = std::max(judgement_.verdict, verdict);
    judgement_.reasons.push_back(std::move(reason));
  }

  // Adds the reason of the case where `measure` is largest, if it is above 0 anywhere. True if so.
  bool AddWorst(Verdict verdict, const std::function<double(const CaseReport&)>& measure,
                const std::function<std::string(const CaseReport&)>& describe) {
    const CaseReport* worst = nullptr;
    double largest = 0;
    size_t affected = 0;
    for (const CaseReport& report : report_.cases) {
      const double size = measure(report);
      if (size <= 0) continue;
      ++affected;
      if (size > largest) {
        largest = size;
        worst = &report;
      }
    }
    if (worst == nullptr) return false;
    std::string reason = describe(*worst);
    if (report_.cases.size() > 1) {
      absl::StrAppend(&reason, " [", CaseName(*worst),
                      affected > 1 ? absl::StrCat("; and ", Count(affected - 1, "other case")) : "",
                      "]");
    }
    Add(verdict, std::move(reason));
    return true;
  }

  bool EachCaseIsComplete() const {
    return report_.cases.size() == report_.cases_planned &&
           std::all_of(report_.cases.begin(), report_.cases.end(),
                       [](const CaseReport& report) { return report.rounds_complete > 0; });
  }

  std::string WhenLost(const AgentReport& agent) const {
    if (agent.lost_round == 0) return " before the first round";
    return absl::StrCat(
        " in round ", agent.lost_round,
        report_.cases_planned > 1 ? absl::StrCat(" of case ", agent.lost_case) : "");
  }

  void LookForInvalid() {
    for (const AgentReport& agent : report_.agents) {
      if (!agent.lost) continue;
      lost_ = true;
      // Where each case has rounds of the load that was asked for, the figures are of those.
      const bool made_up_for = report_.goes_on_after_loss && EachCaseIsComplete();
      Add(made_up_for ? Verdict::kDegraded : Verdict::kInvalid,
          absl::StrCat(
              "agent ", agent.name, " was lost", report_.goes_on_after_loss ? WhenLost(agent) : "",
              agent.loss_reason.empty() ? "" : absl::StrCat(" (", agent.loss_reason, ")")));
    }
    measured_ = std::any_of(report_.cases.begin(), report_.cases.end(),
                            [](const CaseReport& report) { return report.measured(); });
    if (!measured_) {
      Add(Verdict::kInvalid, "nothing was measured");
      failures_ = true;
    }
    failures_ |= AddWorst(
        Verdict::kInvalid,
        [](const CaseReport& report) {
          return report.measured() && report.statements == 0 && report.statements_planned > 0 ? 1.0
                                                                                              : 0.0;
        },
        [](const CaseReport&) { return "no statement succeeded"; });
  }

  void LookForShortfall() {
    for (const AgentReport& agent : report_.agents) {
      if (!agent.missing) continue;
      Add(Verdict::kDegraded,
          absl::StrCat("agent ", agent.name, " is missing (", agent.missing_reason, ")"));
    }
    uint64_t complete = 0;
    for (const CaseReport& report : report_.cases) complete += report.rounds_complete;
    std::vector<std::string> parts;
    if (report_.interrupted) parts.emplace_back("interrupted");
    if (!report_.ended_by.empty()) parts.push_back(report_.ended_by);
    if (report_.stopped_by_error) parts.emplace_back("stopped by an error");
    const bool missing = complete < report_.rounds_planned;
    failures_ |= missing || !report_.ended_by.empty();
    if (measured_ && missing) {
      parts.push_back(absl::StrCat(complete, " of ", Count(report_.rounds_planned, "round"),
                                   " ran to the end"));
    }
    if (parts.empty()) return;
    Add(complete == 0 ? Verdict::kInvalid : Verdict::kDegraded, absl::StrJoin(parts, ": "));
  }

  void LookForFailures() {
    failures_ |= report_.stopped_by_error;
    failures_ |= AddWorst(
        Verdict::kDegraded,
        [](const CaseReport& report) { return static_cast<double>(UnconnectedClients(report)); },
        [](const CaseReport& report) {
          return absl::StrCat(UnconnectedClients(report), " of ",
                              Count(report.clients_asked, "client"), " did not connect",
                              MostFrequent(report.connect_errors));
        });
    failures_ |= AddWorst(
        Verdict::kDegraded,
        [](const CaseReport& report) { return static_cast<double>(report.errors.total()); },
        [](const CaseReport& report) {
          return absl::StrCat(Count(report.errors.total(), "failure"), " in ",
                              Count(report.executed(), "statement"), MostFrequent(report.errors));
        });
    failures_ |= AddWorst(
        Verdict::kDegraded,
        [](const CaseReport& report) { return static_cast<double>(NeverExecuted(report)); },
        [](const CaseReport& report) {
          return absl::StrCat(NeverExecuted(report), " of ",
                              Count(report.statements_planned, "statement"),
                              " were never executed");
        });
    AddWorst(
        Verdict::kDegraded,
        [](const CaseReport& report) {
          const auto ignored = static_cast<double>(report.ignored_errors.total());
          const auto executed = static_cast<double>(report.executed());
          return ignored > kManyIgnoredShare * executed ? ignored / std::max(executed, 1.0) : 0;
        },
        [](const CaseReport& report) {
          return absl::StrCat(report.ignored_errors.total(), " of ",
                              Count(report.executed(), "statement"), " failed with ignored codes",
                              MostFrequent(report.ignored_errors));
        });
  }

  // What the server's own counters say of the agents'.
  void LookForMiscounts() {
    const auto describe = [](const CaseReport& report) {
      return absl::StrCat("the server's count: ", DescribeCountCheck(report.counts));
    };
    const auto is = [](CountFinding finding) {
      return [finding](const CaseReport& report) {
        return report.counts.finding == finding ? 1.0 : 0.0;
      };
    };
    miscounted_ = AddWorst(Verdict::kInvalid, is(CountFinding::kFewer), describe);
    for (const CountFinding finding :
         {CountFinding::kElsewhere, CountFinding::kRestarted, CountFinding::kUnexplained}) {
      AddWorst(Verdict::kDegraded, is(finding), describe);
    }
  }

  void LookForDistortion() {
    AddWorst(
        Verdict::kDegraded,
        [](const CaseReport& report) {
          return static_cast<double>(report.start_skew_ns - SkewLimitNs(report));
        },
        [](const CaseReport& report) {
          return absl::StrCat(
              "start skew ", FormatDuration(static_cast<double>(report.start_skew_ns)),
              " is above the limit of ", FormatDuration(static_cast<double>(SkewLimitNs(report))));
        });
    AddWorst(
        Verdict::kDegraded,
        [](const CaseReport& report) {
          const AgentCaseReport* agent = BusiestAgent(report);
          const bool saturated = agent != nullptr && agent->process_cpu >= kSaturatedShare &&
                                 report.measured_seconds >= kShortestForCpuSeconds;
          return saturated ? agent->process_cpu : 0;
        },
        [](const CaseReport& report) {
          const AgentCaseReport& agent = *BusiestAgent(report);
          return absl::StrCat("agent ", agent.name, " used ", FormatPercent(agent.process_cpu),
                              " of its ", Count(agent.cores, "core"),
                              ": the client side was the bottleneck");
        });
  }

  ExitCode ChooseExitCode() const {
    const auto applies = [this](ExitCode code) {
      switch (code) {
        case ExitCode::kInternal:
          // A failure without a code of its own is a fault of ours, never a success.
          if (!report_.failure.ok() && report_.failure_code == ExitCode::kValid) return true;
          // Agents that claim what the server has not seen.
          if (miscounted_) return true;
          break;
        case ExitCode::kSetUpFailed:
          if (!report_.tear_down.ok()) return true;
          break;
        case ExitCode::kAgentLost:
          if (lost_) return true;
          break;
        case ExitCode::kInterrupted:
          if (report_.interrupted) return true;
          break;
        case ExitCode::kFailures:
          if (failures_) return true;
          break;
        default:
          break;
      }
      return report_.failure_code == code;
    };
    constexpr std::array kPrecedence = {
        ExitCode::kUsage,     ExitCode::kInternal,         ExitCode::kSetUpFailed,
        ExitCode::kAgentLost, ExitCode::kAgentUnavailable, ExitCode::kInterrupted,
        ExitCode::kFailures};
    const auto* const first = std::find_if(kPrecedence.begin(), kPrecedence.end(), applies);
    return first == kPrecedence.end() ? ExitCode::kValid : *first;
  }

  const RunReport& report_;
  Judgement judgement_;
  bool measured_ = false;
  bool lost_ = false;
  bool failures_ = false;
  bool miscounted_ = false;
};

}  // namespace

Judgement Judge(const RunReport& report) { return Examination(report).Finish(); }

int64_t SkewLimitNs(const CaseReport& report) {
  double shortest = -1;
  for (const RoundReport& round : report.rounds) {
    if (round.measured && (shortest < 0 || round.seconds < shortest)) shortest = round.seconds;
  }
  constexpr double kMostMs = 20;
  constexpr double kLeastMs = 5;
  const double shortest_ms = std::max(shortest, 0.0) * 1e3;
  const double short_round_ms = std::clamp(0.1 * shortest_ms, kLeastMs, kMostMs);
  return static_cast<int64_t>(std::max(short_round_ms, 0.01 * shortest_ms) * 1e6);
}

std::string VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kValid:
      return "VALID";
    case Verdict::kDegraded:
      return "DEGRADED";
    case Verdict::kInvalid:
      return "INVALID";
  }
  return "INVALID";
}

std::string VerdictLine(const RunReport& report) {
  std::string line = absl::StrCat("Verdict: ", VerdictName(report.verdict));
  if (!report.reasons.empty()) absl::StrAppend(&line, ": ", absl::StrJoin(report.reasons, "; "));
  return ForTerminal(line);
}

}  // namespace dslap
