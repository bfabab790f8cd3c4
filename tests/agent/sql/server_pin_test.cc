#include "agent/sql/server_pin.h"

#include <optional>

#include "gtest/gtest.h"

namespace dslap {
namespace {

TEST(ServerPinTest, AddressesAreTriedInOrderUntilOneConnects) {
  ServerPin pin;
  EXPECT_EQ(pin.First(), 0u);
  EXPECT_EQ(pin.Next(0, 3, ConnectAttempt::kUnreachable), 1u);
  EXPECT_EQ(pin.Next(1, 3, ConnectAttempt::kUnreachable), 2u);
  EXPECT_EQ(pin.Next(2, 3, ConnectAttempt::kUnreachable), std::nullopt);
  EXPECT_EQ(pin.First(), 0u);
  EXPECT_EQ(pin.Next(0, 3, ConnectAttempt::kRefused), std::nullopt);
  EXPECT_EQ(pin.First(), 0u);
}

TEST(ServerPinTest, LaterConnectionsGoWhereTheFirstWent) {
  ServerPin pin;
  EXPECT_EQ(pin.Next(1, 3, ConnectAttempt::kConnected), std::nullopt);
  EXPECT_EQ(pin.First(), 1u);
  EXPECT_EQ(pin.Next(1, 3, ConnectAttempt::kUnreachable), std::nullopt);
  EXPECT_EQ(pin.Next(1, 3, ConnectAttempt::kConnected), std::nullopt);
}

TEST(ServerPinTest, ConnectionsThatWereUnderWayElsewhereGoThereToo) {
  ServerPin pin;
  EXPECT_EQ(pin.Next(1, 3, ConnectAttempt::kConnected), std::nullopt);
  EXPECT_EQ(pin.Next(0, 3, ConnectAttempt::kConnected), 1u);
  EXPECT_EQ(pin.Next(2, 3, ConnectAttempt::kUnreachable), 1u);
  EXPECT_EQ(pin.First(), 1u);
}

}  // namespace
}  // namespace dslap
