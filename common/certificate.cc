#include "common/certificate.h"

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <memory>

#include "absl/strings/str_cat.h"
#include "common/status_util.h"

namespace dslap {
namespace {

using File = std::unique_ptr<FILE, decltype(&fclose)>;
using Bio = std::unique_ptr<BIO, decltype(&BIO_free_all)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

absl::StatusOr<File> OpenToRead(const std::string& path) {
  File file(std::fopen(path.c_str(), "re"), &fclose);
  if (file == nullptr) return ErrnoToStatus(errno, absl::StrCat("read ", path));
  return file;
}

// A key with a pass phrase must not make OpenSSL ask for it on the terminal.
int NoPassPhrase(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*data*/) { return 0; }

absl::StatusOr<Certificate> LoadCertificate(const std::string& path) {
  ASSIGN_OR_RETURN(const File file, OpenToRead(path));
  Certificate certificate(PEM_read_X509(file.get(), nullptr, &NoPassPhrase, nullptr), &X509_free);
  ERR_clear_error();
  if (certificate == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": there is no certificate (PEM) in it"));
  }
  return certificate;
}

absl::StatusOr<Key> LoadKey(const std::string& path) {
  ASSIGN_OR_RETURN(const File file, OpenToRead(path));
  Key key(PEM_read_PrivateKey(file.get(), nullptr, &NoPassPhrase, nullptr), &EVP_PKEY_free);
  ERR_clear_error();
  if (key == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": there is no private key (PEM, without a pass phrase) in it"));
  }
  return key;
}

std::string Subject(const X509& certificate) {
  const Bio text(BIO_new(BIO_s_mem()), &BIO_free_all);
  X509_NAME_print_ex(text.get(), X509_get_subject_name(&certificate), 0, XN_FLAG_ONELINE);
  char* data = nullptr;
  const long size = BIO_get_mem_data(text.get(), &data);  // NOLINT(google-runtime-int): OpenSSL's
  return {data, static_cast<size_t>(size)};
}

int64_t ToUnix(const ASN1_TIME* time) {
  std::tm utc{};
  return ASN1_TIME_to_tm(time, &utc) == 1 ? int64_t{timegm(&utc)} : 0;
}

}  // namespace

absl::StatusOr<CertificateInfo> ReadCertificate(const std::string& path) {
  ASSIGN_OR_RETURN(const Certificate certificate, LoadCertificate(path));
  CertificateInfo info;
  info.subject = Subject(*certificate);
  info.valid_from_unix = ToUnix(X509_get0_notBefore(certificate.get()));
  info.valid_until_unix = ToUnix(X509_get0_notAfter(certificate.get()));
  return info;
}

absl::Status CheckKeyPair(const std::string& certificate_path, const std::string& key_path) {
  ASSIGN_OR_RETURN(const Certificate certificate, LoadCertificate(certificate_path));
  ASSIGN_OR_RETURN(const Key key, LoadKey(key_path));
  const bool belong_together = X509_check_private_key(certificate.get(), key.get()) == 1;
  ERR_clear_error();
  if (belong_together) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(key_path, " is not the key of the certificate in ", certificate_path));
}

}  // namespace dslap
