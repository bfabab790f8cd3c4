#include "controller/cli/link_rules.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "controller/cli/agent_list.h"

namespace dslap {
namespace {

constexpr char kGiveTls[] =
    "give --tls-ca, --tls-cert and --tls-key (dslap-make-certs makes the files)";

absl::Status Refuse(absl::string_view message) { return absl::InvalidArgumentError(message); }

// "--agents: db-a:7527 (hosts, line 2) is on another host"
std::string OnAnotherHost(const AgentSpec& agent) {
  return absl::StrCat("--agents: ", agent.address,
                      agent.where == "--agents" ? "" : absl::StrCat(" (", agent.where, ")"),
                      " is on another host");
}

}  // namespace

absl::Status CheckLinkFiles(const Options& options) {
  const LinkTls& tls = options.link_tls;
  if (!tls.certificate.empty() && tls.key.empty()) {
    return Refuse("--tls-cert without --tls-key: give both");
  }
  if (!tls.key.empty() && tls.certificate.empty()) {
    return Refuse("--tls-key without --tls-cert: give both");
  }
  if (tls.used() && tls.ca.empty()) {
    return Refuse("--tls-cert without --tls-ca: the agents' certificates could not be checked");
  }
  return absl::OkStatus();
}

absl::Status CheckLinks(const Options& options, const std::vector<AgentSpec>& agents) {
  if (options.link_tls.used() || options.only_print || options.print_plan) {
    return absl::OkStatus();
  }
  const bool password = options.ask_password || !options.target.password.empty();
  const bool token = !options.token_file.empty();
  for (const AgentSpec& agent : agents) {
    if (agent.look_up || IsLoopbackAgent(agent.address)) continue;
    if (!options.insecure) {
      return Refuse(absl::StrCat(OnAnotherHost(agent),
                                 ", and what is sent there in plain text can be read and changed "
                                 "on the way: ",
                                 kGiveTls, ", or --insecure if the network between is trusted"));
    }
    if (password || token) {
      return Refuse(
          absl::StrCat(OnAnotherHost(agent), ", and a ", password ? "password" : "token",
                       " is never sent there in plain text, not even with --insecure: ", kGiveTls,
                       password ? ", or use an account without a password" : ""));
    }
  }
  return absl::OkStatus();
}

}  // namespace dslap
