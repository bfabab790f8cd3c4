// What is in a certificate file: read and checked before it is used, so that a wrong file is an
// error that names it, and not a connection that fails later.
#ifndef DSLAP_COMMON_CERTIFICATE_H_
#define DSLAP_COMMON_CERTIFICATE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace dslap {

struct CertificateInfo {
  std::string subject;          // "CN = db-a"
  int64_t valid_from_unix = 0;  // seconds since 1970, UTC
  int64_t valid_until_unix = 0;
};

// The first certificate of a PEM file. NOT_FOUND or PERMISSION_DENIED when it cannot be read,
// INVALID_ARGUMENT when there is no certificate in it; each names the file. Thread-safe.
absl::StatusOr<CertificateInfo> ReadCertificate(const std::string& path);

// Whether `key_path` holds the private key (PEM, without a pass phrase) of the first certificate in
// `certificate_path`. Errors as above; INVALID_ARGUMENT names both files when they do not belong
// together. Thread-safe.
absl::Status CheckKeyPair(const std::string& certificate_path, const std::string& key_path);

}  // namespace dslap

#endif  // DSLAP_COMMON_CERTIFICATE_H_
