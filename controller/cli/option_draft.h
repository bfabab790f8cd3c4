// Options on their way from the command line to checked Options: what the option table stores into
// (option_table.h), and what BuildOptions() turns into Options (build_options.h). Holds beside the
// Options what is decided only when all of the command line is known.
#ifndef DSLAP_CONTROLLER_CLI_OPTION_DRAFT_H_
#define DSLAP_CONTROLLER_CLI_OPTION_DRAFT_H_

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "controller/options.h"

namespace dslap {

struct OptionDraft {
  Options options;

  // As typed: SQL text, or the name of a file that holds it.
  std::optional<std::string> create;
  std::optional<std::string> query;
  std::optional<std::string> pre_query;
  std::optional<std::string> post_query;
  std::optional<std::string> password_file;
  bool debug_check = false;

  std::optional<TlsMode> tls_mode;  // what the last of --ssl and --ssl-mode says
  bool verify_server_cert = false;
  std::optional<bool> get_server_public_key;
  bool compress = false;
  std::optional<CompressionOptions> compression_algorithms;

  // What the last of --port and --socket would choose with --compat=mariadb.
  TransportProtocol implied_protocol = TransportProtocol::kDefault;

  // Names of the options on the command line, in order, repetitions included.
  std::vector<std::string> given;

  bool Given(absl::string_view name) const {
    return std::find(given.begin(), given.end(), name) != given.end();
  }
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_OPTION_DRAFT_H_
