// What a run will do, decided before anything is touched: cases, rounds, statements. Pure data;
// made by MakePlan() (plan/make_plan.h), printed by --only-print, carried out by the Coordinator.
// Which agent does how much of a case follows from the agents that are there: ShareOut()
// (plan/shares.h).
#ifndef DSLAP_CONTROLLER_PLAN_PLAN_H_
#define DSLAP_CONTROLLER_PLAN_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "controller/options.h"

namespace dslap {

// One item of the query list. A keyed statement is sent as text + " '" + key + "'".
struct PlannedStatement {
  std::string text;
  bool takes_key = false;
};

// `clients` neighbouring clients that execute `statements` statements each.
struct ClientGroup {
  uint64_t clients = 0;
  uint64_t statements = 0;
};

// What one agent runs in a round of a case. `groups` is empty when there are more agents than
// clients, or when the agent is not there.
struct AgentShare {
  uint64_t first_client = 0;  // number of this agent's first client across all agents
  std::vector<ClientGroup> groups;

  uint64_t clients() const;
  uint64_t statements() const;
};

// One engine x one concurrency: one Benchmark block.
struct CasePlan {
  std::string engine;  // empty: none asked for
  uint64_t clients = 0;
  uint64_t statements = 0;      // of all clients of one round
  bool last_of_engine = false;  // the schema is dropped after this case, unless preserved
  // How the engine is chosen: a statement before those of Plan::create, and what the first of them
  // gets at its end. See SetUpStatements().
  std::string engine_statement;
  std::string engine_suffix;
};

// How the run treats the schema it works in.
struct SchemaPlan {
  std::string name;
  // True with --create or -a: dropped and created anew before every round. False: it is only the
  // default database, and never created or dropped.
  bool create = false;
  bool drop = false;           // false with --no-drop
  bool must_exist = false;     // named by the user, and not created by the run
  bool drop_existing = false;  // --drop-existing-schema
};

struct Plan {
  SchemaPlan schema;
  std::vector<CasePlan> cases;
  uint64_t iterations = 1;
  // Tables and rows, for all cases: with hundreds of megabytes they are not held for each.
  std::vector<std::string> create;
  std::vector<PlannedStatement> queries;  // every client walks through them from the first
  std::vector<std::string> pre_queries;
  std::vector<std::string> post_queries;
  // Shell commands for the controller's host, before and after the load of every round.
  std::string pre_system;
  std::string post_system;
  std::string key_query;  // empty unless a statement takes a key
  uint64_t commit_every = 0;
  uint64_t detach_every = 0;
  bool reconnect = false;
  std::string init_command;             // run by each client when it connects; empty: none
  std::optional<std::string> sql_mode;  // of all sessions; absent: the server's
  std::vector<uint32_t> ignored_errors;
  bool ignore_all_errors = false;
  // What the clients send, and what is run once (set-up, tear-down, ...), is given up after this.
  // 0: never.
  int64_t query_timeout_ns = 0;
  int64_t once_timeout_ns = 0;
};

// What is run before every round of a case, in the schema: engine choice, tables, rows.
std::vector<std::string> SetUpStatements(const Plan& plan, const CasePlan& case_plan);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_PLAN_PLAN_H_
