// Certificates for tests with TLS, made anew with the openssl program: two authorities, and what
// the first has signed.
//
//   const auto* const kSandboxEnvironment =
//       AddSandboxEnvironment(Certificates::Get().ServerOptions());
//   target.tls.ca = Certificates::Get().ca();
#ifndef DSLAP_TESTS_SUPPORT_CERTIFICATES_H_
#define DSLAP_TESTS_SUPPORT_CERTIFICATES_H_

#include <string>
#include <vector>

namespace dslap {

// All files are PEM, keys without a pass phrase. Immutable.
class Certificates {
 public:
  // Made at the first call, removed at the end of the process; aborts when openssl is missing.
  static const Certificates& Get();
  ~Certificates();
  Certificates(const Certificates&) = delete;
  Certificates& operator=(const Certificates&) = delete;

  std::string ca() const { return Path("ca.pem"); }
  std::string other_ca() const { return Path("other-ca.pem"); }  // has signed nothing here
  std::string client() const { return Path("client.pem"); }
  std::string client_key() const { return Path("client.key"); }
  std::string wrong_public_key() const { return Path("wrong-public.pem"); }  // RSA, of no server
  // What `openssl rehash` makes of a directory with ca().
  std::string ca_directory() const { return Path("cas"); }

  // A sandbox server that offers TLS with a certificate for the name "localhost" and no other.
  std::vector<std::string> ServerOptions() const;

 private:
  Certificates();
  std::string Path(const std::string& name) const { return directory_ + "/" + name; }
  void MakeAuthority(const std::string& name) const;
  void MakeSigned(const std::string& name, const std::string& extension) const;

  std::string directory_;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_SUPPORT_CERTIFICATES_H_
