// Messages <-> the structs of the engine and of the SQL connection. Pure.
#ifndef DSLAP_AGENT_SESSION_CONVERT_H_
#define DSLAP_AGENT_SESSION_CONVERT_H_

#include <memory>

#include "agent/engine/cpu_meter.h"
#include "agent/engine/engine_options.h"
#include "agent/engine/load_engine.h"
#include "agent/sql/sql_connection.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

inline constexpr int64_t kDefaultConnectTimeoutNs = 10'000'000'000;

// Wipes the password in the message: afterwards it lives in the result only.
SqlTarget TakeTarget(v1::Target* target);

EngineOptions ToEngineOptions(const v1::LoadEngine& engine);

// Moves the statements of a chunk to the end of `list`.
void AppendStatements(v1::StatementsChunk* chunk, StatementList* list);

// Everything of a PrepareRound; `statements` are the clients' list.
RoundSpec ToRoundSpec(const v1::PrepareRound& prepare,
                      std::shared_ptr<const StatementList> statements);

v1::RoundReady ToRoundReady(uint64_t round, const PrepareOutcome& outcome);

// Without the CPU use.
v1::RoundDone ToRoundDone(uint64_t round, const RoundOutcome& outcome);

// What was used from `begin` to `end`.
v1::CpuUse ToCpuUse(const CpuUse& begin, const CpuUse& end);

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_CONVERT_H_
