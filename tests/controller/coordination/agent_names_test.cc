#include "controller/coordination/agent_names.h"

#include <gtest/gtest.h>

namespace dslap {
namespace {

TEST(AgentNamesTest, LoopbackAddresses) {
  for (const char* address : {"localhost", "localhost:7527", "127.0.0.1:7527", "127.8.9.10",
                              "[::1]:7527", "::1", "[::1]"}) {
    EXPECT_TRUE(IsLoopbackAddress(address)) << address;
  }
}

TEST(AgentNamesTest, AddressesThatLeaveTheHost) {
  for (const char* address :
       {"db-a:7527", "10.0.0.5:7527", "128.0.0.1", "[2001:db8::1]:7527", "localhost.example:7527",
        "127.0.0.1.example:1", "0.0.0.0:7527", "", "["}) {
    EXPECT_FALSE(IsLoopbackAddress(address)) << address;
  }
}

}  // namespace
}  // namespace dslap
