#include "common/grpc_status.h"

#include <gtest/gtest.h>

namespace dslap {
namespace {

TEST(GrpcStatusTest, EveryCodeAndMessageIsKeptBothWays) {
  for (int code = 0; code <= static_cast<int>(absl::StatusCode::kUnauthenticated); ++code) {
    const absl::Status status(static_cast<absl::StatusCode>(code), code == 0 ? "" : "why");
    const grpc::Status grpc_status = ToGrpcStatus(status);
    EXPECT_EQ(static_cast<int>(grpc_status.error_code()), code);
    EXPECT_EQ(grpc_status.error_message(), code == 0 ? "" : "why");
    EXPECT_EQ(FromGrpcStatus(grpc_status), status);
  }
}

TEST(GrpcStatusTest, NumbersMeanTheSame) {
  EXPECT_EQ(FromGrpcStatus(grpc::Status(grpc::RESOURCE_EXHAUSTED, "busy")),
            absl::ResourceExhaustedError("busy"));
  EXPECT_EQ(FromGrpcStatus(grpc::Status(grpc::FAILED_PRECONDITION, "state")),
            absl::FailedPreconditionError("state"));
  EXPECT_EQ(FromGrpcStatus(grpc::Status(grpc::DEADLINE_EXCEEDED, "late")),
            absl::DeadlineExceededError("late"));
  EXPECT_EQ(FromGrpcStatus(grpc::Status::OK), absl::OkStatus());
}

}  // namespace
}  // namespace dslap
