#include "controller/report/count_check.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "controller/report/units.h"

namespace dslap {
namespace {

constexpr int64_t kNsPerSecond = 1'000'000'000;
// The server's clock ticks in whole seconds, and a reading takes a moment.
constexpr int64_t kSlackSeconds = 2;

uint64_t Grown(uint64_t before, uint64_t after) { return after > before ? after - before : 0; }

// Whether a clock of the server that counts seconds was set to 0 between the readings.
bool SetBack(uint64_t before_s, uint64_t after_s, const ServerReadings& readings) {
  const int64_t passed_s =
      (readings.after->read_at_ns - readings.before->read_at_ns) / kNsPerSecond;
  return static_cast<int64_t>(after_s) - static_cast<int64_t>(before_s) + kSlackSeconds <
             passed_s ||
         after_s < before_s;
}

// Sums what the agents say. False: one of them said nothing.
bool AddAgents(const RoundRecord& round, CountCheck* check) {
  for (const AgentRoundRecord& agent : round.agents) {
    if (!agent.done.has_value()) {
      if (agent.ready.has_value()) return false;
      continue;  // it was not there
    }
    const v1::RoundDone& done = *agent.done;
    check->statements +=
        done.statements_succeeded() + done.statements_failed() + done.statements_interrupted();
    check->other_commands += done.other_questions();
    check->unclear_commands += done.unclear_questions();
    check->connections += done.connections();
    check->unclear_connections += done.unclear_connections();
    check->connections_kept += done.connections_kept();
  }
  return true;
}

// The readings are both there, and of one life of the server.
CountFinding Judge(const ServerReadings& readings, const std::string& inexact,
                   const CountCheck& check) {
  const bool fewer_commands =
      check.server_commands + check.unclear_commands < check.statements + check.other_commands;
  const bool fewer_connections =
      check.server_connections + check.unclear_connections < check.connections;
  // The clients are connected, so a server without their connections is not the one they are at.
  if (fewer_connections ||
      (fewer_commands && readings.after->threads_connected < check.connections_kept + 1)) {
    return CountFinding::kElsewhere;
  }
  if (fewer_commands) return CountFinding::kFewer;
  if (!inexact.empty()) return CountFinding::kNotFewer;
  if (check.server_commands <= check.statements + check.other_commands) {
    return CountFinding::kAgrees;
  }
  const bool alone = readings.before->threads_connected == readings.own_connections &&
                     check.server_connections == check.connections &&
                     check.unclear_connections == 0;
  return alone ? CountFinding::kUnexplained : CountFinding::kOtherTraffic;
}

}  // namespace

CountCheck CompareCounts(const RoundRecord& round, const std::string& inexact) {
  const ServerReadings& readings = round.server;
  CountCheck check;
  if (readings.own_connections == 0) return check;  // nobody asked
  check.finding = CountFinding::kNotCompared;
  check.why = readings.missing;
  if (!readings.before.has_value()) return check;
  if (!readings.after.has_value()) {
    if (check.why.empty()) check.why = "the round was cut short";
    return check;
  }
  const ServerCounters& before = *readings.before;
  const ServerCounters& after = *readings.after;
  if (SetBack(before.uptime_s, after.uptime_s, readings)) {
    check.finding = CountFinding::kRestarted;
    return check;
  }
  if (readings.reconnected) return check;
  if (after.questions < before.questions ||
      SetBack(before.since_flush_s, after.since_flush_s, readings)) {
    check.why = "somebody set the server's counters back (FLUSH STATUS)";
    return check;
  }
  if (!AddAgents(round, &check)) {
    check = CountCheck();
    check.finding = CountFinding::kNotCompared;
    check.why = "an agent was lost";
    return check;
  }
  check.why = inexact;
  check.rounds = 1;
  // The second reading has counted itself.
  const uint64_t grown = Grown(before.questions, after.questions);
  check.server_commands = grown - std::min<uint64_t>(grown, 1);
  check.server_connections = Grown(before.connections, after.connections);
  check.aborted_clients = Grown(before.aborted_clients, after.aborted_clients);
  check.aborted_connects = Grown(before.aborted_connects, after.aborted_connects);
  check.server_threads = after.threads_connected;
  check.finding = Judge(readings, inexact, check);
  return check;
}

CountCheck SumUp(const std::vector<CountCheck>& rounds) {
  CountCheck sum;
  for (const CountCheck& round : rounds) {
    if (round.finding > sum.finding) {
      sum.finding = round.finding;
      sum.why = round.why;
      sum.server_threads = round.server_threads;
      sum.connections_kept = round.connections_kept;
    }
    sum.rounds += round.rounds;
    sum.statements += round.statements;
    sum.other_commands += round.other_commands;
    sum.unclear_commands += round.unclear_commands;
    sum.connections += round.connections;
    sum.unclear_connections += round.unclear_connections;
    sum.server_commands += round.server_commands;
    sum.server_connections += round.server_connections;
    sum.aborted_clients += round.aborted_clients;
    sum.aborted_connects += round.aborted_connects;
  }
  return sum;
}

std::string DescribeCountCheck(const CountCheck& check) {
  const uint64_t own = check.statements + check.other_commands;
  const uint64_t more = Grown(own, check.server_commands);
  const uint64_t fewer = Grown(check.server_commands + check.unclear_commands, own);
  switch (check.finding) {
    case CountFinding::kNotAsked:
      return "";
    case CountFinding::kAgrees:
      return absl::StrCat(
          "agrees (", Count(check.statements, "statement"), ", ",
          Count(check.other_commands, "other"), ", ", Count(check.connections, "connect"),
          check.unclear_commands > 0 ? absl::StrCat("; ", check.unclear_commands, " unclear") : "",
          ")");
    case CountFinding::kOtherTraffic:
      return absl::StrCat(Count(more, "command"), " more than dslap's own ", own,
                          ": other traffic");
    case CountFinding::kNotFewer:
      return absl::StrCat("no fewer than dslap's ", Count(check.statements, "statement"),
                          " (not compared exactly: ", check.why, ")");
    case CountFinding::kNotCompared:
      return absl::StrCat("not compared: ", check.why);
    case CountFinding::kUnexplained:
      return absl::StrCat(Count(more, "command"), " more than dslap's own ", own,
                          ", though nobody else was connected");
    case CountFinding::kRestarted:
      return "the server was restarted in the middle of a round";
    case CountFinding::kElsewhere:
      return absl::StrCat("not of this load: the server that answers has ", check.server_threads,
                          " connections and counted ", check.server_commands, " commands and ",
                          check.server_connections, " new connections, dslap ", own, " and ",
                          check.connections, "; is there a proxy or load balancer in between?");
    case CountFinding::kFewer:
      return absl::StrCat(Count(fewer, "command"), " fewer than dslap counted (",
                          check.server_commands, " of ", own, ")");
  }
  return "";
}

}  // namespace dslap
