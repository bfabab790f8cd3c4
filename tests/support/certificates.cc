#include "tests/support/certificates.h"

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

// Elliptic keys: an RSA key may take a second of a busy machine. A function, as certificates may be
// wanted before main().
std::vector<std::string> NewKey() {
  return {"-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"};
}

void Run(std::vector<std::string> argv) {
  argv.insert(argv.begin(), "openssl");
  const ProcessResult result = RunProcess({.argv = argv}, absl::Seconds(60));
  if (result.exit_code == 0) return;
  std::fprintf(stderr, "openssl %s: %s\n", argv[1].c_str(), result.err.c_str());
  std::abort();
}

std::vector<std::string> Joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

const Certificates& Certificates::Get() {
  static const Certificates certificates;
  return certificates;
}

Certificates::Certificates() : directory_("/tmp/dslap-certificates-XXXXXX") {
  if (mkdtemp(directory_.data()) == nullptr) std::abort();
  MakeAuthority("ca");
  MakeAuthority("other-ca");
  MakeSigned("server", "subjectAltName=DNS:localhost");
  MakeSigned("client", "extendedKeyUsage=clientAuth");
  const std::string rsa_key = Path("rsa.key");
  Run({"genpkey", "-algorithm", "RSA", "-out", rsa_key});
  Run({"pkey", "-in", rsa_key, "-pubout", "-out", wrong_public_key()});
  std::filesystem::create_directory(ca_directory());
  std::filesystem::copy_file(ca(), ca_directory() + "/ca.pem");
  Run({"rehash", ca_directory()});
}

Certificates::~Certificates() {
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

void Certificates::MakeAuthority(const std::string& name) const {
  Run(Joined({"req", "-x509", "-days", "3650", "-subj", absl::StrCat("/CN=test ", name), "-keyout",
              Path(name + ".key"), "-out", Path(name + ".pem")},
             NewKey()));
}

void Certificates::MakeSigned(const std::string& name, const std::string& extension) const {
  const std::string request = Path(name + ".csr");
  const std::string extensions = Path(name + ".ext");
  std::ofstream(extensions) << extension << "\n";
  Run(Joined({"req", "-new", "-subj", absl::StrCat("/CN=test ", name), "-keyout",
              Path(name + ".key"), "-out", request},
             NewKey()));
  Run({"x509", "-req", "-days", "3650", "-in", request, "-CA", ca(), "-CAkey", Path("ca.key"),
       "-CAcreateserial", "-extfile", extensions, "-out", Path(name + ".pem")});
}

std::vector<std::string> Certificates::ServerOptions() const {
  return {absl::StrCat("--option=--ssl-ca=", ca()),
          absl::StrCat("--option=--ssl-cert=", Path("server.pem")),
          absl::StrCat("--option=--ssl-key=", Path("server.key"))};
}

}  // namespace dslap
