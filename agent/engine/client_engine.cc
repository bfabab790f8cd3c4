#include "agent/engine/client_engine.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "agent/engine/key_list.h"

namespace dslap {
namespace {

constexpr int64_t kNsPerMs = 1'000'000;
// From the first KILL QUERY to the cutting of connections. MariaDB can hold a KILL of a SLEEP() for
// about two seconds when several come at once; a connection that is cut before its statement was
// killed leaves the statement running on the server.
constexpr int64_t kKillPatienceNs = 5'000 * kNsPerMs;
// The same for the query for the keys, which is one alone.
constexpr int64_t kKeyKillPatienceNs = 2'000 * kNsPerMs;
constexpr size_t kSeatsOfAKiller = 32;
constexpr size_t kMostKillers = 16;
// A KILL may reach the server before the statement it is meant for: it is repeated.
constexpr int64_t kKillEveryNs = 100 * kNsPerMs;
// A connect that begins just after Interrupt() is not cut by it: it is repeated.
constexpr int64_t kCutEveryNs = 20 * kNsPerMs;
constexpr int64_t kStopPollNs = 20 * kNsPerMs;
// For a KILL that is on its way when the last client is done.
constexpr int64_t kLastKillNs = 500 * kNsPerMs;

// Codes of the client library's own, for errors that arise here.
constexpr uint32_t kUnknownClientError = 2000;

}  // namespace

ClientEngine::Round::Round(const RoundSpec& spec, size_t clients, int64_t connect_interval_ns,
                           std::shared_ptr<SqlConnectionFactory> factory, ClientCarrier* carrier,
                           Clock* clock)
    : killer(factory),
      control(clients, connect_interval_ns, clock, [this] { carried->Wake(); }),
      context{spec, {}, clock, &killer, factory->SetUpStatements()},
      records(clients),
      carried(carrier->BeginRound(&control)) {}

ClientEngine::ClientEngine(std::shared_ptr<SqlConnectionFactory> factory,
                           std::unique_ptr<ClientCarrier> carrier, int64_t connect_interval_ns,
                           Clock* clock)
    : factory_(std::move(factory)),
      carrier_(std::move(carrier)),
      connect_interval_ns_(connect_interval_ns),
      clock_(clock) {}

ClientEngine::~ClientEngine() { CloseAll(); }

PrepareOutcome ClientEngine::Prepare(const RoundSpec& spec) {
  EndRound();
  BeginRound(spec);
  Round& round = *round_;
  // Keys first: their connection is closed again before it could take a client's place.
  std::optional<SqlError> key_error;
  bool key_connected = true;
  const bool needs_keys = AnyTakesKey(*spec.statements);
  if (needs_keys) key_error = ReadKeys(round, &key_connected);
  // Without keys the round cannot be run: no client need try.
  if (key_error.has_value() && key_connected) round.control.RequestStop(RoundStopCause::kError, 0);

  StartClients(round);
  if (!round.control.AwaitPreparedOrStop()) StopPreparing(round);
  PrepareOutcome outcome = CollectPrepared(round);
  // Clients got in where the key connection did not, or nobody did: then their errors say why.
  if (needs_keys && !key_connected) {
    key_error.reset();
    if (outcome.clients_connected != 0) key_error = ReadKeys(round, &key_connected);
  }
  if (key_error.has_value()) round.control.RequestStop(RoundStopCause::kError, 0);
  outcome.key_error = std::move(key_error);
  return outcome;
}

void ClientEngine::BeginRound(const RoundSpec& spec) {
  const size_t clients = spec.clients();
  auto round = std::make_shared<Round>(spec, clients, connect_interval_ns_, factory_,
                                       carrier_.get(), clock_);
  std::vector<std::unique_ptr<Seat>> surplus;  // closed after the lock is released
  const std::lock_guard<std::mutex> lock(mu_);
  while (seats_.size() > clients) {
    if (seats_.back()->connection->connected()) round->traffic.NoteClose();
    surplus.push_back(std::move(seats_.back()));
    seats_.pop_back();
  }
  while (seats_.size() < clients) {
    seats_.push_back(std::make_unique<Seat>());
    seats_.back()->connection = carrier_->MakeConnection(seats_.size() - 1);
  }
  for (const std::unique_ptr<Seat>& seat : seats_) {
    if (spec.reconnect && seat->connection->connected()) round->traffic.NoteClose();
    if (spec.reconnect) seat->connection->Close();
    seat->gauges.BeginRound();
  }
  round_ = std::move(round);
}

void ClientEngine::StartClients(Round& round) {
  std::vector<ClientSeat> seats;
  seats.reserve(round.records.size());
  for (const LoadClientGroup& group : round.context.spec.groups) {
    for (uint64_t i = 0; i < group.clients; ++i) {
      const size_t index = seats.size();
      Seat& seat = *seats_[index];
      seats.push_back({.number = round.context.spec.first_client + index,
                       .statements = group.statements,
                       .connection = seat.connection.get(),
                       .gauges = &seat.gauges,
                       .record = &round.records[index]});
    }
  }
  round.carried->Start(round.context, std::move(seats));
}

PrepareOutcome ClientEngine::CollectPrepared(const Round& round) const {
  PrepareOutcome outcome;
  outcome.clients_asked = round.records.size();
  for (const ClientRecord& record : round.records) {
    if (record.connect_ns.has_value()) {
      outcome.connect_time.Record(static_cast<uint64_t>(*record.connect_ns));
    }
    if (record.ready) {
      ++outcome.clients_connected;
      ++outcome.channels[record.channel];
    } else if (record.connect_error.has_value()) {
      outcome.connect_errors.Add(*record.connect_error);
    } else {
      ++outcome.clients_not_tried;
    }
  }
  return outcome;
}

std::optional<SqlError> ClientEngine::ReadKeys(Round& round, bool* connected) {
  const RoundSpec& spec = round.context.spec;
  *connected = true;
  if (spec.key_query.empty()) {
    return SqlError{kUnknownClientError, "HY000",
                    "a statement takes a key, but the round has no query for the keys"};
  }
  KeyListReader keys;
  SqlOutcome outcome;
  bool got_in = false;
  std::atomic<uint64_t> connection_id = 0;
  {
    ConnectionThread thread(factory_->MakeBlocking(), [&](SqlConnection& connection) {
      outcome =
          RunBlocking(connection, {SqlOperation::Kind::kConnect, spec.default_schema, nullptr});
      got_in = outcome.ok();
      round.traffic.NoteConnect(got_in, round.context.set_up_statements);
      if (!got_in) return;
      const uint64_t id = connection.id();
      connection_id.store(id);
      outcome = RunBlocking(connection, {SqlOperation::Kind::kQuery, spec.key_query, &keys,
                                         spec.key_query_timeout_ns});
      round.traffic.NoteQuestion(connection.connected());
      if (connection.connected()) round.traffic.NoteClose();
      if (outcome.error.code == kQueryTimeoutCode) round.killer.KillOnServer(id);
    });
    if (!thread.status().ok()) {
      outcome.error = {kOutOfMemory, "HY000", absl::StrCat(thread.status().message())};
    }
    while (!thread.AwaitDone(kStopPollNs)) {
      if (!round.control.stopped()) continue;
      if (connection_id.load() != 0) KillKeyQuery(round, connection_id.load(), &thread);
      break;  // what still runs is cut
    }
  }
  *connected = got_in;
  if (!outcome.ok()) return std::move(outcome.error);
  round.context.keys = keys.Take(*spec.statements);
  if (!round.context.keys.escaped.empty()) return std::nullopt;
  return SqlError{kUnknownClientError, "HY000",
                  absl::StrCat("the query for the keys returned none: ", spec.key_query)};
}

// Cut alone, the query would go on at the server, for hours perhaps.
void ClientEngine::KillKeyQuery(Round& round, uint64_t connection_id, ConnectionThread* reader) {
  ServerTraffic traffic;  // the reader may still write that of the round
  std::atomic<bool> enough = false;
  {
    ConnectionThread killer(factory_->MakeBlocking(), [&](SqlConnection& control) {
      const bool up = RunBlocking(control, {SqlOperation::Kind::kConnect, {}, nullptr}).ok();
      traffic.NoteConnect(up, round.context.set_up_statements);
      if (!up) return;
      const std::string kill = absl::StrCat("KILL QUERY ", connection_id);
      do {
        RunBlocking(control, {SqlOperation::Kind::kQuery, kill, nullptr});
        traffic.NoteQuestion(control.connected());
        if (!control.connected()) return;
      } while (!reader->AwaitDone(kKillEveryNs) && !enough.load());
      traffic.NoteClose();
    });
    const int64_t cut_at_ns = clock_->NowNs() + kKeyKillPatienceNs;
    while (!reader->AwaitDone(kStopPollNs) && clock_->NowNs() < cut_at_ns) {
    }
    enough.store(true);
    killer.AwaitDone(kLastKillNs);
  }
  round.traffic.Merge(traffic);
}

RoundOutcome ClientEngine::Run(int64_t open_at_ns, const std::function<void(int64_t)>& on_open) {
  if (round_ == nullptr) return {};
  Round& round = *round_;
  const int64_t opened_at_ns = round.control.OpenGateAt(open_at_ns, round.context.spec.may_open);
  if (opened_at_ns != 0) on_open(opened_at_ns);
  if (!round.control.AwaitDoneOrStop()) StopClients(round);
  round.carried->Join();
  RoundOutcome outcome = CollectDone(round, opened_at_ns);
  const ErrorTally not_killed = round.killer.Finish(kKillPatienceNs);
  outcome.session_errors += not_killed.total();
  outcome.errors.Merge(not_killed);
  outcome.traffic.Merge(round.killer.traffic());
  outcome.connections_kept = ConnectionsKept();
  EndRound();
  return outcome;
}

// What initialises sessions is killed on the server, connects that are under way are cut. Nothing
// is begun any more; the first pause is for what was begun in the moment of the stop.
void ClientEngine::StopPreparing(Round& round) {
  Killers killers;
  const int64_t cut_at_ns = clock_->NowNs() + kKillPatienceNs;
  while (!round.control.AwaitPrepared(kCutEveryNs)) {
    if (killers.threads.empty() && AnyInStatement()) StartKillers(round, &killers);
    if (clock_->NowNs() < cut_at_ns) {
      CutConnecting();
    } else {
      CutEverything();
    }
  }
  EndKillers(round, &killers);
}

bool ClientEngine::AnyInStatement() const {
  return std::any_of(seats_.begin(), seats_.end(), [](const std::unique_ptr<Seat>& seat) {
    return seat->gauges.in_statement.load(std::memory_order_relaxed);
  });
}

// A KILL is one round trip, and may wait on the server: many are sent side by side.
void ClientEngine::StartKillers(Round& round, Killers* killers) {
  const size_t count = std::clamp<size_t>(seats_.size() / kSeatsOfAKiller, 1, kMostKillers);
  killers->traffic.resize(count);
  for (size_t i = 0; i < count; ++i) {
    killers->threads.emplace_back(
        factory_->MakeBlocking(),
        [this, &round, i, count, traffic = &killers->traffic[i]](SqlConnection& control) {
          KillStatements(round, control, i, count, traffic);
        });
  }
}

void ClientEngine::EndKillers(Round& round, Killers* killers) {
  for (ConnectionThread& killer : killers->threads) killer.AwaitDone(kLastKillNs);
  killers->threads.clear();
  for (const ServerTraffic& each : killers->traffic) round.traffic.Merge(each);
}

void ClientEngine::StopClients(Round& round) {
  if (round.control.AwaitDoneOrGraceOver()) return;
  round.control.EnterKilling();
  Killers killers;
  StartKillers(round, &killers);
  const int64_t cut_at_ns = clock_->NowNs() + kKillPatienceNs;
  while (!round.control.AwaitDone(kCutEveryNs)) {
    if (clock_->NowNs() < cut_at_ns) {
      CutConnecting();
    } else {
      CutEverything();
    }
  }
  EndKillers(round, &killers);
}

// Those of every `step`th seat, until all clients are done or the control connection fails.
void ClientEngine::KillStatements(Round& round, SqlConnection& control, size_t first, size_t step,
                                  ServerTraffic* traffic) {
  const bool up = RunBlocking(control, {SqlOperation::Kind::kConnect, {}, nullptr}).ok();
  traffic->NoteConnect(up, round.context.set_up_statements);
  if (!up) return;
  do {
    for (size_t i = first; i < seats_.size(); i += step) {
      const std::unique_ptr<Seat>& seat = seats_[i];
      const uint64_t id = seat->connection->id();
      if (id == 0 || !seat->gauges.in_statement.load(std::memory_order_relaxed)) continue;
      seat->gauges.killed.store(true, std::memory_order_relaxed);
      const std::string kill = absl::StrCat("KILL QUERY ", id);
      RunBlocking(control, {SqlOperation::Kind::kQuery, kill, nullptr});
      traffic->NoteQuestion(control.connected());
      if (!control.connected()) return;
    }
  } while (!round.control.AwaitDone(kKillEveryNs));
  traffic->NoteClose();
}

size_t ClientEngine::ConnectionsKept() const {
  return static_cast<size_t>(std::count_if(
      seats_.begin(), seats_.end(),
      [](const std::unique_ptr<Seat>& seat) { return seat->connection->connected(); }));
}

// Ends the connects that are under way; who has a connection keeps it.
void ClientEngine::CutConnecting() {
  for (const std::unique_ptr<Seat>& seat : seats_) {
    if (seat->gauges.done.load(std::memory_order_relaxed)) continue;
    if (seat->gauges.connected.load(std::memory_order_relaxed)) continue;
    if (seat->gauges.in_statement.load(std::memory_order_relaxed)) continue;
    seat->connection->Interrupt();
  }
}

void ClientEngine::CutEverything() {
  for (const std::unique_ptr<Seat>& seat : seats_) {
    if (seat->gauges.done.load(std::memory_order_relaxed)) continue;
    seat->gauges.killed.store(true, std::memory_order_relaxed);
    seat->connection->Interrupt();
  }
}

RoundOutcome ClientEngine::CollectDone(const Round& round, int64_t opened_at_ns) const {
  RoundOutcome outcome;
  outcome.opened_at_ns = opened_at_ns;
  outcome.closed_at_ns = opened_at_ns;
  uint64_t ready = 0;
  for (const ClientRecord& record : round.records) {
    outcome.closed_at_ns = std::max(outcome.closed_at_ns, record.last_response_ns);
    outcome.statements_succeeded += record.succeeded;
    outcome.statements_failed += record.failed;
    outcome.statements_interrupted += record.interrupted;
    outcome.clients_finished += record.finished ? 1 : 0;
    outcome.reconnects += record.reconnects;
    outcome.reconnects_failed += record.reconnects_failed;
    outcome.session_errors += record.session_errors;
    outcome.errors.Merge(record.errors);
    outcome.traffic.Merge(record.traffic);
    ready += record.ready ? 1 : 0;
  }
  outcome.traffic.Merge(round.traffic);
  round.carried->MergeLatency(&outcome.latency);
  outcome.stop_cause = round.control.stop_cause();
  // A stop that came when everything was done has ended nothing.
  const bool complete = opened_at_ns != 0 && outcome.clients_finished == ready;
  if (complete && outcome.stop_cause == RoundStopCause::kController) {
    outcome.stop_cause = RoundStopCause::kNone;
  }
  return outcome;
}

void ClientEngine::Stop(RoundStopCause cause, int64_t grace_ns) {
  std::shared_ptr<Round> round;
  {
    const std::lock_guard<std::mutex> lock(mu_);
    round = round_;
  }
  if (round != nullptr) round->control.RequestStop(cause, grace_ns);
}

void ClientEngine::CloseAll() {
  EndRound();
  std::vector<std::unique_ptr<Seat>> closing;  // after the lock is released
  const std::lock_guard<std::mutex> lock(mu_);
  closing.swap(seats_);
}

// Also of a round that was prepared and never run: its clients leave the gate.
void ClientEngine::EndRound() {
  if (round_ == nullptr) return;
  round_->control.RequestStop(RoundStopCause::kController, 0);
  round_->carried->Join();
  // Whoever still holds the round, to stop it, holds nothing that the next one may use.
  round_->control.Close();
  round_->carried.reset();
  std::shared_ptr<Round> ended;  // goes after the lock is released: it may have a thread to end
  const std::lock_guard<std::mutex> lock(mu_);
  ended.swap(round_);
}

LiveCounters ClientEngine::Counters() const {
  LiveCounters counters;
  const std::lock_guard<std::mutex> lock(mu_);
  for (const std::unique_ptr<Seat>& seat : seats_) {
    counters.statements += seat->gauges.succeeded.value();
    counters.errors += seat->gauges.errors.value();
    counters.clients_connected += seat->gauges.connected.load(std::memory_order_relaxed) ? 1 : 0;
  }
  return counters;
}

ConnectionMap ClientEngine::Connections() const {
  ConnectionMap connections;
  const std::lock_guard<std::mutex> lock(mu_);
  for (const std::unique_ptr<Seat>& seat : seats_) {
    const uint64_t packed = seat->gauges.server_connection.load(std::memory_order_relaxed);
    if (packed != 0) connections[packed >> 16] = static_cast<uint16_t>(packed);
  }
  return connections;
}

}  // namespace dslap
