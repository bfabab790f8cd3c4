#include "controller/coordination/connection_ledger.h"

#include "gtest/gtest.h"

namespace dslap {
namespace {

TEST(ConnectionLedgerTest, FollowsTheClientsAndTheScripts) {
  ConnectionLedger ledger;
  v1::RunResponse script;
  *script.mutable_script_done()->mutable_connection() = EncodeConnections({{3, 30}});
  ledger.Take(script);
  v1::RunResponse connecting;
  *connecting.mutable_progress()->mutable_opened() = EncodeConnections({{7, 70}});
  ledger.Take(connecting);
  EXPECT_EQ(ledger.open(), (ConnectionMap{{3, 30}, {7, 70}}));

  v1::RunResponse ready;
  *ready.mutable_round_ready()->mutable_connections() = EncodeConnections({{7, 70}, {8, 80}});
  ledger.Take(ready);
  v1::RunResponse progress;
  progress.mutable_progress()->add_closed_id_gap(7);
  *progress.mutable_progress()->mutable_opened() = EncodeConnections({{9, 90}});
  ledger.Take(progress);
  EXPECT_EQ(ledger.open(), (ConnectionMap{{3, 30}, {8, 80}, {9, 90}}));

  script.mutable_script_done()->clear_connection();
  ledger.Take(script);
  EXPECT_EQ(ledger.open(), (ConnectionMap{{8, 80}, {9, 90}}));
}

}  // namespace
}  // namespace dslap
