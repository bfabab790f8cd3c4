#include "agent/session/validate_request.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dslap {
namespace {

v1::RunRequest GoodOpen() {
  v1::RunRequest request;
  v1::Open& open = *request.mutable_open();
  open.set_run_id("r1");
  open.set_lease_ns(10'000'000'000);
  open.mutable_target()->set_host("10.0.0.5");
  open.mutable_target()->set_port(3306);
  return request;
}

RequestContext WithList(uint64_t statements = 3) {
  RequestContext context;
  context.list_complete = true;
  context.list_statements = statements;
  return context;
}

v1::RunRequest GoodPrepare() {
  v1::RunRequest request;
  v1::PrepareRound& prepare = *request.mutable_prepare_round();
  prepare.set_round(5);
  v1::ClientGroup& group = *prepare.add_groups();
  group.set_clients(10);
  group.set_statements(100);
  return request;
}

TEST(ValidateRequestTest, MessageWithoutKind) {
  EXPECT_EQ(ValidateRequest(v1::RunRequest(), {}),
            absl::InvalidArgumentError("RunRequest.message is not set: exactly one kind is "
                                       "expected, and one that this agent knows"));
}

TEST(ValidateRequestTest, Open) {
  EXPECT_EQ(ValidateRequest(GoodOpen(), {}), absl::OkStatus());

  struct Case {
    std::function<void(v1::Open*)> spoil;
    std::string message;
  };
  const std::string lease_bounds = ", but must be from 1000000000 (1 s) to 3600000000000 (1 h)";
  const std::string nul = " contains a NUL byte, which the database cannot take there";
  const std::vector<Case> cases = {
      {[](v1::Open* open) { open->clear_run_id(); }, "Open.run_id is empty"},
      {[](v1::Open* open) { open->set_run_id(std::string(513, 'x')); },
       "Open.run_id has 513 bytes, more than 512"},
      {[](v1::Open* open) { open->set_run_id("r1\nSTOPPING=1"); },
       "Open.run_id holds a control character"},
      {[](v1::Open* open) { open->set_controller(std::string(513, 'x')); },
       "Open.controller has 513 bytes, more than 512"},
      {[](v1::Open* open) { open->set_controller("ann\x7f"); },
       "Open.controller holds a control character"},
      {[](v1::Open* open) {
         open->mutable_load_engine()->set_kind(static_cast<v1::LoadEngineKind>(9));
       },
       "Open.load_engine.kind is 9, which this agent does not know"},
      {[](v1::Open* open) { open->mutable_load_engine()->set_event_loops(1'025); },
       "Open.load_engine.event_loops is 1025, more than 1024"},
      {[](v1::Open* open) {
         open->mutable_load_engine()->set_connect_interval_ns(3'600'000'000'001);
       },
       "Open.load_engine.connect_interval_ns is 3600000000001, more than 1 h"},
      {[](v1::Open* open) { open->set_lease_ns(0); }, "Open.lease_ns is 0" + lease_bounds},
      {[](v1::Open* open) { open->set_lease_ns(999'999'999); },
       "Open.lease_ns is 999999999" + lease_bounds},
      {[](v1::Open* open) { open->set_lease_ns(3'600'000'000'001); },
       "Open.lease_ns is 3600000000001" + lease_bounds},
      {[](v1::Open* open) { open->mutable_target()->set_host("x;host=127.0.0.1;port=1"); },
       "Open.target.host is no host's name or address"},
      {[](v1::Open* open) { open->mutable_target()->set_host("plugin://127.0.0.1"); },
       "Open.target.host is no host's name or address"},
      {[](v1::Open* open) { open->mutable_target()->set_host("db\nx"); },
       "Open.target.host is no host's name or address"},
      {[](v1::Open* open) { open->mutable_target()->set_port(65536); },
       "Open.target.port is 65536, but ports end at 65535"},
      {[](v1::Open* open) { open->mutable_target()->set_transport(static_cast<v1::Transport>(9)); },
       "Open.target.transport is 9, which this agent does not know"},
      {[](v1::Open* open) { open->mutable_target()->set_connect_timeout_ns(3'600'000'000'001); },
       "Open.target.connect_timeout_ns is 3600000000001, more than 1 h"},
      {[](v1::Open* open) { open->mutable_target()->set_host(std::string("a\0b", 3)); },
       "Open.target.host" + nul},
      {[](v1::Open* open) { open->mutable_target()->set_socket(std::string("a\0b", 3)); },
       "Open.target.socket" + nul},
      {[](v1::Open* open) { open->mutable_target()->set_user(std::string("a\0b", 3)); },
       "Open.target.user" + nul},
      {[](v1::Open* open) { open->mutable_target()->set_password(std::string("geheim\0b", 8)); },
       "Open.target.password" + nul},
      {[](v1::Open* open) { open->mutable_target()->set_default_auth(std::string("a\0b", 3)); },
       "Open.target.default_auth" + nul},
      {[](v1::Open* open) { open->mutable_target()->set_plugin_dir(std::string("a\0b", 3)); },
       "Open.target.plugin_dir" + nul},
      {[](v1::Open* open) {
         open->mutable_target()->set_character_sets_dir(std::string("a\0b", 3));
       },
       "Open.target.character_sets_dir" + nul},
      {[](v1::Open* open) {
         open->mutable_target()->set_server_public_key_path(std::string("a\0b", 3));
       },
       "Open.target.server_public_key_path" + nul},
      {[](v1::Open* open) { open->mutable_target()->mutable_compression()->set_zstd_level(23); },
       "Open.target.compression.zstd_level is 23, but levels end at 22"},
      {[](v1::Open* open) {
         open->mutable_target()->mutable_tls()->set_mode(static_cast<v1::TlsMode>(9));
       },
       "Open.target.tls.mode is 9, which this agent does not know"},
  };
  for (const Case& each : cases) {
    v1::RunRequest request = GoodOpen();
    each.spoil(request.mutable_open());
    EXPECT_EQ(ValidateRequest(request, {}), absl::InvalidArgumentError(each.message));
  }
}

TEST(ValidateRequestTest, NoTextOfTlsHoldsANul) {
  const google::protobuf::Descriptor& tls = *v1::Tls::descriptor();
  int texts = 0;
  for (int i = 0; i < tls.field_count(); ++i) {
    const google::protobuf::FieldDescriptor& field = *tls.field(i);
    if (field.type() != google::protobuf::FieldDescriptor::TYPE_BYTES) continue;
    ++texts;
    v1::RunRequest request = GoodOpen();
    v1::Tls& message = *request.mutable_open()->mutable_target()->mutable_tls();
    message.GetReflection()->SetString(&message, &field, std::string("a\0b", 3));
    EXPECT_EQ(
        ValidateRequest(request, {}),
        absl::InvalidArgumentError("Open.target.tls." + field.name() +
                                   " contains a NUL byte, which the database cannot take there"));
  }
  EXPECT_EQ(texts, 9);
}

TEST(ValidateRequestTest, LeaseBoundsAreIncluded) {
  for (const uint64_t lease_ns : {kMinLeaseNs, kMaxLeaseNs}) {
    v1::RunRequest request = GoodOpen();
    request.mutable_open()->set_lease_ns(lease_ns);
    EXPECT_EQ(ValidateRequest(request, {}), absl::OkStatus()) << lease_ns;
  }
}

TEST(ValidateRequestTest, ChunkContinuesAList) {
  v1::RunRequest request;
  request.mutable_statements_chunk()->set_last(true);
  RequestContext context;
  EXPECT_EQ(
      ValidateRequest(request, context),
      absl::InvalidArgumentError("StatementsChunk.first is false, but no list has been begun"));
  context.list_begun = true;
  EXPECT_EQ(ValidateRequest(request, context), absl::OkStatus());
  context.list_begun = false;
  request.mutable_statements_chunk()->set_first(true);
  EXPECT_EQ(ValidateRequest(request, context), absl::OkStatus());
}

TEST(ValidateRequestTest, Script) {
  v1::RunRequest request;
  request.mutable_run_script()->set_default_schema("shop");
  EXPECT_EQ(ValidateRequest(request, {}), absl::OkStatus());
  request.mutable_run_script()->set_default_schema(std::string("s\0", 2));
  EXPECT_EQ(ValidateRequest(request, {}),
            absl::InvalidArgumentError("RunScript.default_schema contains a NUL byte, which the "
                                       "database cannot take there"));
}

TEST(ValidateRequestTest, AWillAsksFirstAndIsBounded) {
  v1::RunRequest request;
  v1::LastWill& will = *request.mutable_run_script()->mutable_last_will();
  EXPECT_EQ(ValidateRequest(request, {}), absl::OkStatus()) << "none takes the old one away";
  will.add_statements("DROP SCHEMA x");
  EXPECT_EQ(ValidateRequest(request, {}),
            absl::InvalidArgumentError("RunScript.last_will.only_if is empty"));
  will.set_only_if("SELECT 1");
  EXPECT_EQ(ValidateRequest(request, {}),
            absl::InvalidArgumentError("RunScript.last_will.statement_timeout_ns is 0, but must be "
                                       "from 1 to 600000000000 (10 min)"));
  will.set_statement_timeout_ns(1);
  EXPECT_EQ(ValidateRequest(request, {}), absl::OkStatus());
  will.set_delay_ns(60'000'000'001);
  EXPECT_EQ(
      ValidateRequest(request, {}),
      absl::InvalidArgumentError("RunScript.last_will.delay_ns is 60000000001, more than 1 min"));
}

TEST(ValidateRequestTest, PrepareNeedsACompleteList) {
  RequestContext context;
  context.list_begun = true;
  context.list_statements = 3;
  EXPECT_EQ(ValidateRequest(GoodPrepare(), context),
            absl::InvalidArgumentError("PrepareRound.round is 5, but the list of statements is not "
                                       "complete: send the last StatementsChunk first"));
  EXPECT_EQ(ValidateRequest(GoodPrepare(), WithList()), absl::OkStatus());
}

TEST(ValidateRequestTest, RoundNumbersIncrease) {
  RequestContext context = WithList();
  for (const uint64_t before : {5, 6}) {
    context.last_round = before;
    EXPECT_EQ(ValidateRequest(GoodPrepare(), context),
              absl::InvalidArgumentError("PrepareRound.round is 5, not larger than the round "
                                         "before, " +
                                         std::to_string(before)));
  }
  context.last_round = 4;
  EXPECT_EQ(ValidateRequest(GoodPrepare(), context), absl::OkStatus());
  v1::RunRequest zero = GoodPrepare();
  zero.mutable_prepare_round()->set_round(0);
  EXPECT_EQ(ValidateRequest(zero, WithList()), absl::OkStatus()) << "the first may be 0";
}

TEST(ValidateRequestTest, TooManyClients) {
  v1::RunRequest request = GoodPrepare();
  v1::ClientGroup& second = *request.mutable_prepare_round()->add_groups();
  second.set_clients(kMaxClients - 10);
  EXPECT_EQ(ValidateRequest(request, WithList()), absl::OkStatus());
  second.set_clients(kMaxClients - 9);
  EXPECT_EQ(ValidateRequest(request, WithList()),
            absl::InvalidArgumentError("PrepareRound.groups[1].clients is 999991, which makes more "
                                       "than 1000000 clients in the round"));
  second.set_clients(UINT64_MAX);
  EXPECT_EQ(ValidateRequest(request, WithList()).code(), absl::StatusCode::kInvalidArgument);
}

TEST(ValidateRequestTest, TooManyStatementsToCount) {
  const std::string message =
      "PrepareRound.groups[0].statements is 18446744073709551615 for each of 10 clients, which is "
      "too many to count";
  v1::RunRequest product = GoodPrepare();
  product.mutable_prepare_round()->mutable_groups(0)->set_statements(UINT64_MAX);
  EXPECT_EQ(ValidateRequest(product, WithList()), absl::InvalidArgumentError(message));

  v1::RunRequest sum = GoodPrepare();
  v1::ClientGroup& second = *sum.mutable_prepare_round()->add_groups();
  second.set_clients(1);
  second.set_statements(UINT64_MAX - 999);
  EXPECT_EQ(ValidateRequest(sum, WithList()),
            absl::InvalidArgumentError("PrepareRound.groups[1].statements is 18446744073709550616 "
                                       "for each of 1 clients, which is too many to count"));
}

TEST(ValidateRequestTest, ClientNumbersEnd) {
  v1::RunRequest request = GoodPrepare();
  request.mutable_prepare_round()->set_first_client(UINT64_MAX - 9);
  EXPECT_EQ(ValidateRequest(request, WithList()),
            absl::InvalidArgumentError("PrepareRound.first_client is 18446744073709551606, too "
                                       "large to number 10 clients from there"));
}

TEST(ValidateRequestTest, ClientsNeedStatements) {
  EXPECT_EQ(ValidateRequest(GoodPrepare(), WithList(0)),
            absl::InvalidArgumentError("PrepareRound.groups ask for 1000 statements, but the list "
                                       "of statements is empty"));
  v1::RunRequest nobody;
  nobody.mutable_prepare_round()->set_round(1);
  EXPECT_EQ(ValidateRequest(nobody, WithList(0)), absl::OkStatus()) << "an agent without a share";
}

TEST(ValidateRequestTest, KeyedStatementsNeedKeys) {
  RequestContext context = WithList();
  context.list_takes_keys = true;
  v1::RunRequest request = GoodPrepare();
  EXPECT_EQ(ValidateRequest(request, context),
            absl::InvalidArgumentError(
                "PrepareRound.key_query is empty, but a statement of the list takes a key"));
  request.mutable_prepare_round()->set_key_query("SELECT id FROM t1");
  EXPECT_EQ(ValidateRequest(request, context), absl::OkStatus());
}

TEST(ValidateRequestTest, PrepareSchema) {
  v1::RunRequest request = GoodPrepare();
  request.mutable_prepare_round()->set_default_schema(std::string("s\0", 2));
  EXPECT_EQ(ValidateRequest(request, WithList()),
            absl::InvalidArgumentError("PrepareRound.default_schema contains a NUL byte, which the "
                                       "database cannot take there"));
}

TEST(ValidateRequestTest, TimeoutsOfStatementsEndSomewhere) {
  v1::RunRequest prepare;
  prepare.mutable_prepare_round()->set_round(1);
  prepare.mutable_prepare_round()->set_query_timeout_ns(kMaxTimeoutNs);
  prepare.mutable_prepare_round()->set_key_query_timeout_ns(kMaxTimeoutNs);
  EXPECT_EQ(ValidateRequest(prepare, WithList()), absl::OkStatus());
  prepare.mutable_prepare_round()->set_query_timeout_ns(kMaxTimeoutNs + 1);
  EXPECT_EQ(ValidateRequest(prepare, WithList()),
            absl::InvalidArgumentError(
                "PrepareRound.query_timeout_ns is 2592000000000001, more than 30 days"));
  prepare.mutable_prepare_round()->set_query_timeout_ns(0);
  prepare.mutable_prepare_round()->set_key_query_timeout_ns(UINT64_MAX);
  EXPECT_EQ(ValidateRequest(prepare, WithList()),
            absl::InvalidArgumentError(
                "PrepareRound.key_query_timeout_ns is 18446744073709551615, more than 30 days"));

  v1::RunRequest script;
  script.mutable_run_script()->set_statement_timeout_ns(kMaxTimeoutNs);
  EXPECT_EQ(ValidateRequest(script, RequestContext()), absl::OkStatus());
  script.mutable_run_script()->set_statement_timeout_ns(kMaxTimeoutNs + 1);
  EXPECT_EQ(ValidateRequest(script, RequestContext()),
            absl::InvalidArgumentError(
                "RunScript.statement_timeout_ns is 2592000000000001, more than 30 days"));
}

TEST(ValidateRequestTest, StartAndStopNameThePreparedRound) {
  RequestContext context = WithList();
  context.last_round = 5;
  v1::RunRequest start;
  start.mutable_start_round()->set_round(5);
  start.mutable_start_round()->set_open_at_ns(INT64_MIN);
  EXPECT_EQ(ValidateRequest(start, context), absl::OkStatus()) << "the past means now";
  start.mutable_start_round()->set_round(4);
  EXPECT_EQ(ValidateRequest(start, context),
            absl::InvalidArgumentError("StartRound.round is 4, but the prepared round is 5"));

  v1::RunRequest stop;
  stop.mutable_stop_round()->set_round(5);
  stop.mutable_stop_round()->set_grace_ns(kMaxWaitNs);
  EXPECT_EQ(ValidateRequest(stop, context), absl::OkStatus());
  stop.mutable_stop_round()->set_grace_ns(kMaxWaitNs + 1);
  EXPECT_EQ(ValidateRequest(stop, context),
            absl::InvalidArgumentError("StopRound.grace_ns is 3600000000001, more than 1 h"));
  stop.mutable_stop_round()->set_round(7);
  EXPECT_EQ(ValidateRequest(stop, context),
            absl::InvalidArgumentError("StopRound.round is 7, but the prepared round is 5"));
  EXPECT_EQ(ValidateRequest(stop, RequestContext()),
            absl::InvalidArgumentError("StopRound.round is 7, but no round has been prepared"));
}

TEST(ValidateRequestTest, StopOfAScriptMustBeOfTheOneThatRuns) {
  RequestContext context;
  context.last_script = 4;
  v1::RunRequest stop;
  stop.mutable_stop_script()->set_script(4);
  stop.mutable_stop_script()->set_patience_ns(kMaxWaitNs);
  EXPECT_EQ(ValidateRequest(stop, context), absl::OkStatus());
  stop.mutable_stop_script()->set_patience_ns(kMaxWaitNs + 1);
  EXPECT_EQ(ValidateRequest(stop, context),
            absl::InvalidArgumentError("StopScript.patience_ns is 3600000000001, more than 1 h"));
  stop.mutable_stop_script()->set_script(5);
  EXPECT_EQ(ValidateRequest(stop, context),
            absl::InvalidArgumentError("StopScript.script is 5, but script 4 is running"));
}

TEST(ValidateRequestTest, HeartbeatAndCloseHaveNothingToCheck) {
  v1::RunRequest heartbeat;
  heartbeat.mutable_heartbeat()->set_sequence(UINT64_MAX);
  EXPECT_EQ(ValidateRequest(heartbeat, {}), absl::OkStatus());
  v1::RunRequest close;
  close.mutable_close();
  EXPECT_EQ(ValidateRequest(close, {}), absl::OkStatus());
}

}  // namespace
}  // namespace dslap
