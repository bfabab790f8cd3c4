#include "tests/support/link_certificates.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

void Run(const std::vector<std::string>& argv) {
  const ProcessResult result = RunProcess({.argv = argv}, absl::Seconds(60));
  if (result.exit_code == 0) return;
  std::fprintf(stderr, "%s: %s\n", argv[0].c_str(), result.err.c_str());
  std::abort();
}

std::string Script() { return DSLAP_SOURCE_DIR "/deploy/make-certs.sh"; }

}  // namespace

LinkCertificates::LinkCertificates(const std::string& host) : directory_("/tmp/dslap-link-XXXXXX") {
  if (mkdtemp(directory_.data()) == nullptr) std::abort();
  host_directory_ = Path(host.substr(0, host.find(',')));
  RenewAgent(host);
}

LinkCertificates::~LinkCertificates() {
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

std::vector<std::string> LinkCertificates::AgentArguments() const {
  return {absl::StrCat("--tls-ca=", ca()), absl::StrCat("--tls-cert=", agent()),
          absl::StrCat("--tls-key=", agent_key())};
}

std::vector<std::string> LinkCertificates::ControllerArguments() const {
  return {absl::StrCat("--tls-ca=", ca()), absl::StrCat("--tls-cert=", controller()),
          absl::StrCat("--tls-key=", controller_key())};
}

std::string LinkCertificates::ExpiredController() const {
  const std::string request = Path("expired.csr");
  Run({"openssl", "req", "-new", "-key", controller_key(), "-subj", "/CN=expired", "-out",
       request});
  Run({"openssl", "x509", "-req", "-in", request, "-CA", ca(), "-CAkey", Path("ca.key"), "-days",
       "-1", "-set_serial", "4711", "-out", Path("expired.pem")});
  return Path("expired.pem");
}

void LinkCertificates::RenewAgent(const std::string& host) const {
  Run({Script(), directory_, host});
}

std::string LinkCertificates::File(const std::string& name, const std::string& content) const {
  std::ofstream(Path(name)) << content;
  chmod(Path(name).c_str(), S_IRUSR | S_IWUSR);
  return Path(name);
}

}  // namespace dslap
