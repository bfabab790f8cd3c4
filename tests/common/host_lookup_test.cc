#include "common/host_lookup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dslap {
namespace {

using testing::ElementsAre;

TEST(LookUpHostTest, AddressesAreNumeric) {
  EXPECT_THAT(LookUpHost("127.0.0.1").value(), ElementsAre("127.0.0.1"));
  EXPECT_THAT(LookUpHost("127.1").value(), ElementsAre("127.0.0.1"));
  EXPECT_THAT(LookUpHost("::1").value(), ElementsAre("::1"));
  EXPECT_EQ(LookUpHost("no such host").status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace dslap
