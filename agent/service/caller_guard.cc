#include "agent/service/caller_guard.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <sys/stat.h>

#include <array>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/link_security.h"
#include "common/log.h"

namespace dslap {
namespace {

// Digests are compared, so that neither the length nor a common beginning shows in the time taken.
bool SameToken(absl::string_view given, const std::string& wanted) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> a{};
  std::array<unsigned char, SHA256_DIGEST_LENGTH> b{};
  SHA256(reinterpret_cast<const unsigned char*>(given.data()), given.size(), a.data());
  SHA256(reinterpret_cast<const unsigned char*>(wanted.data()), wanted.size(), b.data());
  return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

// Empty, which lets nobody in, when there is no randomness.
std::string RandomAuthorization() {
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), bytes.size()) != 1) return "";
  return absl::StrCat(kTokenScheme,
                      absl::BytesToHexString(absl::string_view(
                          reinterpret_cast<const char*>(bytes.data()), bytes.size())));
}

}  // namespace

CallerGuard::CallerGuard(std::string token_file, RefusalLog* refusals)
    : token_file_(std::move(token_file)),
      own_authorization_(RandomAuthorization()),
      refusals_(refusals) {}

absl::Status CallerGuard::Check(absl::string_view peer, absl::string_view authorization) {
  if (token_file_.empty()) return absl::OkStatus();
  if (!authorization.empty() && SameToken(authorization, own_authorization_)) {
    return absl::OkStatus();
  }
  absl::MutexLock lock(&mu_);
  Reload();
  if (token_.empty()) {
    refusals_->Refused(Refusal::kToken, peer, "this agent's own token cannot be read");
    return absl::UnauthenticatedError("this agent cannot read its token: see its log");
  }
  if (authorization.empty()) {
    refusals_->Refused(Refusal::kToken, peer, "it gave no token");
    return absl::UnauthenticatedError("this agent wants a token: give --token-file");
  }
  if (absl::ConsumePrefix(&authorization, kTokenScheme) &&
      SameToken(authorization, token_.Reveal())) {
    return absl::OkStatus();
  }
  refusals_->Refused(Refusal::kToken, peer, "its token is wrong");
  return absl::UnauthenticatedError(
      "this agent does not know the token: it must be the one in the agent's own --token-file");
}

void CallerGuard::Reload() {
  struct stat about {};
  FileState state;
  if (stat(token_file_.c_str(), &about) == 0) {
    state = {int64_t{about.st_mtim.tv_sec} * 1'000'000'000 + about.st_mtim.tv_nsec, about.st_ino,
             static_cast<uint64_t>(about.st_size)};
  }
  if (state == seen_ && !token_.empty()) return;
  const bool changed = state != seen_;
  seen_ = state;
  absl::StatusOr<Secret> token = ReadTokenFile(token_file_);
  if (token.ok()) {
    if (!token_.empty()) LogInfo(absl::StrCat("token read anew from ", token_file_));
    token_ = *std::move(token);
  } else if (changed) {
    LogWarning(absl::StrCat("--token-file: ", token.status().message(),
                            token_.empty() ? "" : ": the token of before goes on counting"));
  }
}

}  // namespace dslap
