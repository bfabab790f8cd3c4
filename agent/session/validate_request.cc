#include "agent/session/validate_request.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/message_text.h"
#include "common/status_util.h"

namespace dslap {
namespace {

absl::Status Invalid(absl::string_view field, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(field, " ", what));
}

// The client library takes these as C strings and would see only the part before the NUL.
absl::Status CheckNoNul(absl::string_view field, const std::string& value) {
  if (value.find('\0') == std::string::npos) return absl::OkStatus();
  return Invalid(field, "contains a NUL byte, which the database cannot take there");
}

absl::Status CheckTimeout(absl::string_view field, uint64_t timeout_ns) {
  if (timeout_ns <= kMaxTimeoutNs) return absl::OkStatus();
  return Invalid(field, absl::StrCat("is ", timeout_ns, ", more than 30 days"));
}

absl::Status ValidateTls(const v1::Tls& tls) {
  if (!v1::TlsMode_IsValid(tls.mode())) {
    return Invalid("Open.target.tls.mode", absl::StrCat("is ", static_cast<int>(tls.mode()),
                                                        ", which this agent does not know"));
  }
  RETURN_IF_ERROR(CheckNoNul("Open.target.tls.ca", tls.ca()));
  RETURN_IF_ERROR(CheckNoNul("Open.target.tls.ca_path", tls.ca_path()));
  RETURN_IF_ERROR(CheckNoNul("Open.target.tls.certificate", tls.certificate()));
  RETURN_IF_ERROR(CheckNoNul("Open.target.tls.key", tls.key()));
  RETURN_IF_ERROR(CheckNoNul("Open.target.tls.crl", tls.crl()));
  RETURN_IF_ERROR(CheckNoNul("Open.target.tls.crl_path", tls.crl_path()));
  RETURN_IF_ERROR(CheckNoNul("Open.target.tls.cipher", tls.cipher()));
  RETURN_IF_ERROR(CheckNoNul("Open.target.tls.cipher_suites", tls.cipher_suites()));
  return CheckNoNul("Open.target.tls.versions", tls.versions());
}

// The client library takes what these are in for a list of settings, or for the name of a plugin.
absl::Status CheckHost(const std::string& host) {
  const bool odd = std::any_of(host.begin(), host.end(), [](char c) {
    return c == ';' || c == '/' || c == '=' || c == ' ' || IsControl(c);
  });
  return odd ? Invalid("Open.target.host", "is no host's name or address") : absl::OkStatus();
}

absl::Status ValidateTarget(const v1::Target& target) {
  RETURN_IF_ERROR(CheckNoNul("Open.target.host", target.host()));
  RETURN_IF_ERROR(CheckHost(target.host()));
  RETURN_IF_ERROR(CheckNoNul("Open.target.socket", target.socket()));
  RETURN_IF_ERROR(CheckNoNul("Open.target.user", target.user()));
  RETURN_IF_ERROR(CheckNoNul("Open.target.password", target.password()));
  if (target.port() > 65535) {
    return Invalid("Open.target.port",
                   absl::StrCat("is ", target.port(), ", but ports end at 65535"));
  }
  if (!v1::Transport_IsValid(target.transport())) {
    return Invalid("Open.target.transport",
                   absl::StrCat("is ", static_cast<int>(target.transport()),
                                ", which this agent does not know"));
  }
  if (target.connect_timeout_ns() > kMaxWaitNs) {
    return Invalid("Open.target.connect_timeout_ns",
                   absl::StrCat("is ", target.connect_timeout_ns(), ", more than 1 h"));
  }
  if (target.compression().zstd_level() > kMaxZstdLevel) {
    return Invalid("Open.target.compression.zstd_level",
                   absl::StrCat("is ", target.compression().zstd_level(), ", but levels end at ",
                                kMaxZstdLevel));
  }
  RETURN_IF_ERROR(CheckNoNul("Open.target.default_auth", target.default_auth()));
  RETURN_IF_ERROR(CheckNoNul("Open.target.plugin_dir", target.plugin_dir()));
  RETURN_IF_ERROR(CheckNoNul("Open.target.character_sets_dir", target.character_sets_dir()));
  RETURN_IF_ERROR(
      CheckNoNul("Open.target.server_public_key_path", target.server_public_key_path()));
  return ValidateTls(target.tls());
}

absl::Status ValidateLoadEngine(const v1::LoadEngine& engine) {
  if (!v1::LoadEngineKind_IsValid(engine.kind())) {
    return Invalid("Open.load_engine.kind", absl::StrCat("is ", static_cast<int>(engine.kind()),
                                                         ", which this agent does not know"));
  }
  if (engine.event_loops() > kMaxEventLoops) {
    return Invalid("Open.load_engine.event_loops",
                   absl::StrCat("is ", engine.event_loops(), ", more than ", kMaxEventLoops));
  }
  if (engine.connect_interval_ns() > kMaxWaitNs) {
    return Invalid("Open.load_engine.connect_interval_ns",
                   absl::StrCat("is ", engine.connect_interval_ns(), ", more than 1 h"));
  }
  return absl::OkStatus();
}

// What is shown to people and to the service manager, in a line each.
absl::Status CheckName(absl::string_view field, absl::string_view name) {
  if (name.size() > kLongestName) {
    return Invalid(field, absl::StrCat("has ", name.size(), " bytes, more than ", kLongestName));
  }
  const bool control = std::any_of(name.begin(), name.end(), IsControl);
  return control ? Invalid(field, "holds a control character") : absl::OkStatus();
}

absl::Status ValidateOpen(const v1::Open& open) {
  if (open.run_id().empty()) return Invalid("Open.run_id", "is empty");
  RETURN_IF_ERROR(CheckName("Open.run_id", open.run_id()));
  RETURN_IF_ERROR(CheckName("Open.controller", open.controller()));
  if (open.lease_ns() < kMinLeaseNs || open.lease_ns() > kMaxLeaseNs) {
    return Invalid("Open.lease_ns", absl::StrCat("is ", open.lease_ns(), ", but must be from ",
                                                 kMinLeaseNs, " (1 s) to ", kMaxLeaseNs, " (1 h)"));
  }
  RETURN_IF_ERROR(ValidateLoadEngine(open.load_engine()));
  return ValidateTarget(open.target());
}

absl::Status ValidateChunk(const v1::StatementsChunk& chunk, const RequestContext& context) {
  if (chunk.first() || context.list_begun) return absl::OkStatus();
  return Invalid("StatementsChunk.first", "is false, but no list has been begun");
}

// It is carried out when nobody is left to say that it takes too long.
absl::Status ValidateLastWill(const v1::LastWill& will) {
  if (will.statements_size() == 0) return absl::OkStatus();
  if (will.only_if().empty()) return Invalid("RunScript.last_will.only_if", "is empty");
  if (will.delay_ns() > kMaxWillDelayNs) {
    return Invalid("RunScript.last_will.delay_ns",
                   absl::StrCat("is ", will.delay_ns(), ", more than 1 min"));
  }
  if (will.statement_timeout_ns() == 0 || will.statement_timeout_ns() > kMaxWillTimeoutNs) {
    return Invalid("RunScript.last_will.statement_timeout_ns",
                   absl::StrCat("is ", will.statement_timeout_ns(), ", but must be from 1 to ",
                                kMaxWillTimeoutNs, " (10 min)"));
  }
  return absl::OkStatus();
}

absl::Status ValidateScript(const v1::RunScript& script) {
  RETURN_IF_ERROR(CheckNoNul("RunScript.default_schema", script.default_schema()));
  RETURN_IF_ERROR(CheckTimeout("RunScript.statement_timeout_ns", script.statement_timeout_ns()));
  return ValidateLastWill(script.last_will());
}

absl::Status ValidateGroups(const v1::PrepareRound& prepare, const RequestContext& context) {
  uint64_t clients = 0;
  uint64_t statements = 0;
  for (int i = 0; i < prepare.groups_size(); ++i) {
    const v1::ClientGroup& group = prepare.groups(i);
    const std::string name = absl::StrCat("PrepareRound.groups[", i, "]");
    if (group.clients() > kMaxClients - clients) {
      return Invalid(absl::StrCat(name, ".clients"),
                     absl::StrCat("is ", group.clients(), ", which makes more than ", kMaxClients,
                                  " clients in the round"));
    }
    clients += group.clients();
    uint64_t product = 0;
    if (__builtin_mul_overflow(group.clients(), group.statements(), &product) ||
        __builtin_add_overflow(statements, product, &statements)) {
      return Invalid(absl::StrCat(name, ".statements"),
                     absl::StrCat("is ", group.statements(), " for each of ", group.clients(),
                                  " clients, which is too many to count"));
    }
  }
  if (prepare.first_client() > UINT64_MAX - clients) {
    return Invalid("PrepareRound.first_client",
                   absl::StrCat("is ", prepare.first_client(), ", too large to number ", clients,
                                " clients from there"));
  }
  if (statements > 0 && context.list_statements == 0) {
    return Invalid("PrepareRound.groups", absl::StrCat("ask for ", statements,
                                                       " statements, but the list of statements is "
                                                       "empty"));
  }
  if (statements > 0 && context.list_takes_keys && prepare.key_query().empty()) {
    return Invalid("PrepareRound.key_query", "is empty, but a statement of the list takes a key");
  }
  return absl::OkStatus();
}

absl::Status ValidatePrepare(const v1::PrepareRound& prepare, const RequestContext& context) {
  if (!context.list_complete) {
    return Invalid("PrepareRound.round",
                   absl::StrCat("is ", prepare.round(),
                                ", but the list of statements is not complete: send the last "
                                "StatementsChunk first"));
  }
  if (context.last_round.has_value() && prepare.round() <= *context.last_round) {
    return Invalid("PrepareRound.round",
                   absl::StrCat("is ", prepare.round(), ", not larger than the round before, ",
                                *context.last_round));
  }
  RETURN_IF_ERROR(CheckNoNul("PrepareRound.default_schema", prepare.default_schema()));
  RETURN_IF_ERROR(CheckTimeout("PrepareRound.query_timeout_ns", prepare.query_timeout_ns()));
  RETURN_IF_ERROR(
      CheckTimeout("PrepareRound.key_query_timeout_ns", prepare.key_query_timeout_ns()));
  return ValidateGroups(prepare, context);
}

absl::Status ValidateRoundNumber(absl::string_view field, uint64_t round,
                                 const RequestContext& context) {
  if (!context.last_round.has_value()) {
    return Invalid(field, absl::StrCat("is ", round, ", but no round has been prepared"));
  }
  if (round == *context.last_round) return absl::OkStatus();
  return Invalid(field,
                 absl::StrCat("is ", round, ", but the prepared round is ", *context.last_round));
}

absl::Status ValidateStop(const v1::StopRound& stop, const RequestContext& context) {
  RETURN_IF_ERROR(ValidateRoundNumber("StopRound.round", stop.round(), context));
  if (stop.grace_ns() <= kMaxWaitNs) return absl::OkStatus();
  return Invalid("StopRound.grace_ns", absl::StrCat("is ", stop.grace_ns(), ", more than 1 h"));
}

absl::Status ValidateStopScript(const v1::StopScript& stop, const RequestContext& context) {
  if (stop.script() != context.last_script) {
    return Invalid("StopScript.script", absl::StrCat("is ", stop.script(), ", but script ",
                                                     context.last_script, " is running"));
  }
  if (stop.patience_ns() <= kMaxWaitNs) return absl::OkStatus();
  return Invalid("StopScript.patience_ns",
                 absl::StrCat("is ", stop.patience_ns(), ", more than 1 h"));
}

}  // namespace

absl::Status ValidateRequest(const v1::RunRequest& request, const RequestContext& context) {
  switch (request.message_case()) {
    case v1::RunRequest::kOpen:
      return ValidateOpen(request.open());
    case v1::RunRequest::kStatementsChunk:
      return ValidateChunk(request.statements_chunk(), context);
    case v1::RunRequest::kRunScript:
      return ValidateScript(request.run_script());
    case v1::RunRequest::kPrepareRound:
      return ValidatePrepare(request.prepare_round(), context);
    case v1::RunRequest::kStartRound:
      return ValidateRoundNumber("StartRound.round", request.start_round().round(), context);
    case v1::RunRequest::kStopRound:
      return ValidateStop(request.stop_round(), context);
    case v1::RunRequest::kStopScript:
      return ValidateStopScript(request.stop_script(), context);
    case v1::RunRequest::kHeartbeat:
    case v1::RunRequest::kClose:
      return absl::OkStatus();
    case v1::RunRequest::MESSAGE_NOT_SET:
      break;
  }
  return Invalid("RunRequest.message",
                 "is not set: exactly one kind is expected, and one that this agent knows");
}

}  // namespace dslap
