// Certificates and tokens for the link between controller and agents, made with
// deploy/make-certs.sh, as an operator makes them.
//
//   LinkCertificates ours;
//   AgentProcess agent(ours.AgentArguments());
//   RunDslap(Joined(ours.ControllerArguments(), {"--agents=" + agent.address(), "-a"}));
#ifndef DSLAP_TESTS_SUPPORT_LINK_CERTIFICATES_H_
#define DSLAP_TESTS_SUPPORT_LINK_CERTIFICATES_H_

#include <string>
#include <vector>

namespace dslap {

// An authority of its own, with all files in a directory that is removed at the end. Not
// thread-safe.
class LinkCertificates {
 public:
  // `host`: as make-certs.sh takes it. Aborts when the script fails.
  explicit LinkCertificates(const std::string& host = "127.0.0.1,localhost");
  ~LinkCertificates();
  LinkCertificates(const LinkCertificates&) = delete;
  LinkCertificates& operator=(const LinkCertificates&) = delete;

  std::string ca() const { return Path("ca.pem"); }
  std::string agent() const { return host_directory_ + "/agent.pem"; }
  std::string agent_key() const { return host_directory_ + "/agent.key"; }
  std::string controller() const { return Path("controller.pem"); }
  std::string controller_key() const { return Path("controller.key"); }

  // --tls-ca, --tls-cert and --tls-key of either side.
  std::vector<std::string> AgentArguments() const;
  std::vector<std::string> ControllerArguments() const;

  // A certificate of this authority for the controller's key that expired yesterday.
  std::string ExpiredController() const;

  // Makes agent() and agent_key() anew, as a renewal does.
  void RenewAgent(const std::string& host = "127.0.0.1,localhost") const;

  // A file with `content` that its owner alone may read; its path.
  std::string File(const std::string& name, const std::string& content) const;

 private:
  std::string Path(const std::string& name) const { return directory_ + "/" + name; }

  std::string directory_;
  std::string host_directory_;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_SUPPORT_LINK_CERTIFICATES_H_
