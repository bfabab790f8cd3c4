#include "controller/report/count_check.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace dslap {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// Two agents with 25 clients each, connected anew: 2000 statements of each, 27 other commands. The
// server counted just that, and nobody else was there.
RoundRecord Round() {
  RoundRecord round;
  for (int i = 0; i < 2; ++i) {
    AgentRoundRecord agent;
    agent.ready.emplace();
    agent.done.emplace();
    agent.done->set_statements_succeeded(1990);
    agent.done->set_statements_failed(10);
    agent.done->set_other_questions(27);
    agent.done->set_connections(25);
    agent.done->set_connections_kept(25);
    round.agents.push_back(agent);
  }
  ServerCounters before;
  before.questions = 100;
  before.connections = 7;
  before.threads_connected = 1;
  before.uptime_s = 1000;
  before.since_flush_s = 500;
  before.read_at_ns = 50 * kSecond;
  ServerCounters after = before;
  after.questions += 4054 + 1;
  after.connections += 50;
  after.threads_connected = 51;
  after.uptime_s += 10;
  after.since_flush_s += 10;
  after.read_at_ns += 10 * kSecond;
  round.server.before = before;
  round.server.after = after;
  round.server.own_connections = 1;
  return round;
}

struct Row {
  std::string what;
  std::function<void(RoundRecord*, std::string* inexact)> change;
  CountFinding finding;
  std::string text;
};

const std::vector<Row>& Rows() {
  static const auto* const kRows = new std::vector<Row>{
      {"nobody asked", [](RoundRecord* round, std::string*) { round->server = {}; },
       CountFinding::kNotAsked, ""},
      {"exact", [](RoundRecord*, std::string*) {}, CountFinding::kAgrees,
       "agrees (4000 statements, 54 others, 50 connects)"},
      {"what was not answered may be missing",
       [](RoundRecord* round, std::string*) {
         round->agents[0].done->set_unclear_questions(3);
         round->server.after->questions -= 3;
       },
       CountFinding::kAgrees, "agrees (4000 statements, 54 others, 50 connects; 3 unclear)"},
      {"but not more",
       [](RoundRecord* round, std::string*) {
         round->agents[0].done->set_unclear_questions(3);
         round->server.after->questions -= 4;
       },
       CountFinding::kFewer, "1 command fewer than dslap counted (4050 of 4054)"},
      {"others were there before",
       [](RoundRecord* round, std::string*) {
         round->server.before->threads_connected = 2;
         round->server.after->threads_connected = 52;
         round->server.after->questions += 300;
       },
       CountFinding::kOtherTraffic, "300 commands more than dslap's own 4054: other traffic"},
      {"others came and went",
       [](RoundRecord* round, std::string*) {
         round->server.after->connections += 2;
         round->server.after->questions += 300;
       },
       CountFinding::kOtherTraffic, "300 commands more than dslap's own 4054: other traffic"},
      {"others may be behind a connect that is not clear",
       [](RoundRecord* round, std::string*) {
         round->agents[0].done->set_unclear_connections(1);
         round->server.after->questions += 300;
       },
       CountFinding::kOtherTraffic, "300 commands more than dslap's own 4054: other traffic"},
      {"more, and nobody was there",
       [](RoundRecord* round, std::string*) { round->server.after->questions += 1; },
       CountFinding::kUnexplained,
       "1 command more than dslap's own 4054, though nobody else was connected"},
      {"a liar",
       [](RoundRecord* round, std::string*) {
         round->agents[1].done->set_statements_succeeded(5000);
       },
       CountFinding::kFewer, "3010 commands fewer than dslap counted (4054 of 7064)"},
      {"a liar among others' traffic cannot be seen",
       [](RoundRecord* round, std::string*) {
         round->server.before->threads_connected = 2;
         round->agents[1].done->set_statements_succeeded(2090);
         round->server.after->questions += 300;
       },
       CountFinding::kOtherTraffic, "200 commands more than dslap's own 4154: other traffic"},
      {"several statements in one text",
       [](RoundRecord* round, std::string* inexact) {
         *inexact = "a text with a ';' inside may be several statements";
         round->server.after->questions += 4000;
       },
       CountFinding::kNotFewer,
       "no fewer than dslap's 4000 statements (not compared exactly: a text with a ';' inside may "
       "be "
       "several statements)"},
      {"several statements, and fewer all the same",
       [](RoundRecord* round, std::string* inexact) {
         *inexact = "a text with a ';' inside may be several statements";
         round->server.after->questions -= 54;
       },
       CountFinding::kFewer, "54 commands fewer than dslap counted (4000 of 4054)"},
      {"behind a proxy, some of the connections",
       [](RoundRecord* round, std::string*) {
         round->server.after->connections = round->server.before->connections + 20;
         round->server.after->threads_connected = 21;
         round->server.after->questions = round->server.before->questions + 1001;
       },
       CountFinding::kElsewhere,
       "not of this load: the server that answers has 21 connections and counted 1000 commands and "
       "20 new connections, dslap 4054 and 50; is there a proxy or load balancer in between?"},
      {"behind a proxy, connections kept from the round before",
       [](RoundRecord* round, std::string*) {
         for (AgentRoundRecord& agent : round->agents) agent.done->set_connections(0);
         round->server.before->threads_connected = 21;
         round->server.after->threads_connected = 21;
         round->server.after->connections = round->server.before->connections;
         round->server.after->questions = round->server.before->questions + 1001;
       },
       CountFinding::kElsewhere,
       "not of this load: the server that answers has 21 connections and counted 1000 commands and "
       "0 new connections, dslap 4054 and 0; is there a proxy or load balancer in between?"},
      {"restarted",
       [](RoundRecord* round, std::string*) {
         round->server.reconnected = true;
         round->server.missing = "the connection broke";
         round->server.after->uptime_s = 3;
         round->server.after->questions = 5;
       },
       CountFinding::kRestarted, "the server was restarted in the middle of a round"},
      {"restarted when it was young, and up for longer since",
       [](RoundRecord* round, std::string*) {
         round->server.before->uptime_s = 1;
         round->server.after->uptime_s = 5;
       },
       CountFinding::kRestarted, "the server was restarted in the middle of a round"},
      {"the connection broke, the server did not",
       [](RoundRecord* round, std::string*) {
         round->server.reconnected = true;
         round->server.missing = "the connection broke";
       },
       CountFinding::kNotCompared, "not compared: the connection broke"},
      {"counters set back",
       [](RoundRecord* round, std::string*) { round->server.after->since_flush_s = 1; },
       CountFinding::kNotCompared,
       "not compared: somebody set the server's counters back (FLUSH STATUS)"},
      {"an agent was lost", [](RoundRecord* round, std::string*) { round->agents[1].done.reset(); },
       CountFinding::kNotCompared, "not compared: an agent was lost"},
      {"an agent was not there",
       [](RoundRecord* round, std::string*) {
         round->agents.emplace_back();
         round->agents.back().ready.reset();
       },
       CountFinding::kAgrees, "agrees (4000 statements, 54 others, 50 connects)"},
      {"no second reading", [](RoundRecord* round, std::string*) { round->server.after.reset(); },
       CountFinding::kNotCompared, "not compared: the round was cut short"},
  };
  return *kRows;
}

TEST(CountCheckTest, Table) {
  for (const Row& row : Rows()) {
    SCOPED_TRACE(row.what);
    RoundRecord round = Round();
    std::string inexact;
    row.change(&round, &inexact);
    const CountCheck check = CompareCounts(round, inexact);
    EXPECT_EQ(static_cast<int>(check.finding), static_cast<int>(row.finding));
    EXPECT_EQ(DescribeCountCheck(check), row.text);
  }
}

TEST(CountCheckTest, CaseHasTheGravestFindingAndAllSums) {
  RoundRecord worse = Round();
  worse.server.before->threads_connected = 2;
  worse.server.after->questions += 300;
  worse.server.after->aborted_clients = 4;
  RoundRecord unread = Round();
  unread.server.after.reset();
  const CountCheck good = CompareCounts(Round(), "");
  const CountCheck sum = SumUp({good, CompareCounts(worse, ""), good});
  EXPECT_EQ(sum.rounds, 3u);
  EXPECT_EQ(sum.statements, 12'000u);
  EXPECT_EQ(sum.server_commands, 3u * 4054 + 300);
  EXPECT_EQ(sum.aborted_clients, 4u);
  EXPECT_EQ(DescribeCountCheck(sum), "300 commands more than dslap's own 12162: other traffic");
  EXPECT_EQ(DescribeCountCheck(SumUp({good, CompareCounts(unread, "")})),
            "not compared: the round was cut short");
}

}  // namespace
}  // namespace dslap
