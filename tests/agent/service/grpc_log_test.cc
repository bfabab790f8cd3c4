#include "agent/service/grpc_log.h"

#include "gtest/gtest.h"

namespace dslap {
namespace {

TEST(GrpcLogTest, TlsErrorsAreInOpenSslsWords) {
  EXPECT_EQ(TlsErrorIn("Handshake failed with fatal error SSL_ERROR_SSL: error:0A0000C7:SSL "
                       "routines::peer did not return a certificate."),
            "peer did not return a certificate");
  EXPECT_EQ(
      TlsErrorIn("Handshake failed with fatal error SSL_ERROR_SYSCALL: error:00000000:lib(0)"),
      "the connection broke");
  EXPECT_EQ(TlsErrorIn("Failed accept4: Too many open files"), "");
}

}  // namespace
}  // namespace dslap
