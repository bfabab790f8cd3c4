// What dslap-agent was told, by its command line and its configuration file.
//
//   ASSIGN_OR_RETURN(const AgentOptions options, ParseAgentOptions(arguments, ReadFile));
#ifndef DSLAP_AGENT_OPTIONS_AGENT_OPTIONS_H_
#define DSLAP_AGENT_OPTIONS_AGENT_OPTIONS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "common/link_security.h"

namespace dslap {

inline constexpr absl::string_view kCommandLinePlace = "command line";

// The values at first are the defaults.
struct AgentOptions {
  std::string config;                     // path; empty: no file
  std::string listen = "127.0.0.1:7527";  // HOST:PORT as given; may be a name
  LinkTls tls;                            // unused: plain text
  std::string token_file;                 // empty: whoever TLS lets in is let in
  bool insecure = false;
  std::string metrics;  // HOST:PORT as given; empty: none
  bool reflection = false;
  std::vector<std::string> allow_target;       // rules, see agent/guard/target_rule.h; empty: all
  std::vector<std::string> allow_library_dir;  // that runs may name; empty: none
  uint64_t max_clients = 0;                    // 0: no bound
  absl::Duration max_run_time;                 // 0: no bound
  bool check_config = false;
  bool print_config = false;
  bool help = false;
  bool version = false;

  // Option -> where its value was said: kCommandLinePlace or "/etc/dslap/agent.conf:7", of a list
  // all lines ("...:7,9"). Those that have their default are not in it.
  std::map<std::string, std::string, std::less<>> places;
};

// How messages call an option: "--listen", and "--listen (/etc/dslap/agent.conf:7)" when the file
// set it.
inline std::string ShownOption(const AgentOptions& options, absl::string_view name) {
  const auto place = options.places.find(name);
  if (place == options.places.end() || place->second == kCommandLinePlace) {
    return absl::StrCat("--", name);
  }
  return absl::StrCat("--", name, " (", place->second, ")");
}

}  // namespace dslap

#endif  // DSLAP_AGENT_OPTIONS_AGENT_OPTIONS_H_
