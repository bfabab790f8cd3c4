// The schema a run works in: made anew before every round, dropped at the end, and never taken from
// anyone. A schema that dslap makes carries a marker table; one without it is somebody's and is
// refused, unless the user said --drop-existing-schema.
#ifndef DSLAP_CONTROLLER_COORDINATION_SCHEMA_KEEPER_H_
#define DSLAP_CONTROLLER_COORDINATION_SCHEMA_KEEPER_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "controller/coordination/script_runner.h"
#include "controller/coordination/step.h"
#include "controller/plan/plan.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// Used by the coordinator's thread.
class SchemaKeeper {
 public:
  static constexpr char kMarkerTable[] = "_dslap_marker";
  // The other agents, whose controller is gone as well, stop their load meanwhile.
  static constexpr int64_t kWillDelayNs = 2'000'000'000;
  static constexpr int64_t kWillTimeoutNs = 15'000'000'000;

  // `leave_will`: the agent that makes the schema is to drop it if the controller goes away, as
  // long as it is this run's.
  SchemaKeeper(const SchemaPlan& plan, std::string run_id, bool leave_will, ScriptRunner* scripts)
      : plan_(plan), run_id_(std::move(run_id)), leave_will_(leave_will), scripts_(scripts) {}

  // Looks, without changing anything, whether the run may use the schema. To be called first.
  Step Check();

  // Drops (if it is ours) and creates the schema, and runs `set_up` in it. No-op but for `set_up`
  // when the plan does not create a schema. `notes` get a line when one was dropped that the run
  // had found. After kAgentLost it may be called again, to begin anew on a survivor.
  Step SetUp(std::vector<std::string> set_up, std::vector<std::string>* notes);

  // Drops what SetUp() made, unless the plan keeps it. kSetUpFailed also when it is not known
  // whether SetUp() made it: then there is no sense in another attempt.
  Step Drop();

  // "schema `shop`", for messages.
  std::string name() const;
  // There is one that Drop() has still to drop, or would, were it known to be ours.
  bool left_behind() const { return plan_.drop && (created_ || maybe_created_); }
  // Whether SetUp() made it is not known.
  bool maybe_created() const { return maybe_created_; }

  // What the clients connect with; empty when there is no such schema.
  const std::string& default_schema() const { return default_schema_; }

  // Some agent drops the schema if this process ends now. Thread-safe.
  bool willed() const { return willed_.load(std::memory_order_relaxed); }

 private:
  Step LookAgain();
  Step IsOurs(bool* ours);
  void Forget();
  std::string OursSql() const;
  v1::LastWill Will() const;
  Step Exists(const std::string& table_schema, const std::string& table, bool* exists);

  SchemaPlan plan_;
  std::string run_id_;
  const bool leave_will_;
  ScriptRunner* scripts_;
  std::atomic<bool> willed_{false};
  std::string default_schema_;
  bool drop_first_ = false;  // one is there that we may drop
  std::string drop_note_;    // what to say when the one that was found is gone
  bool created_ = false;
  // The server's answer was lost.
  bool maybe_created_ = false;
  bool maybe_dropped_ = false;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_SCHEMA_KEEPER_H_
