#include "agent/options/parse_agent_options.h"

#include <map>
#include <utility>
#include <variant>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "agent/options/agent_conf_file.h"
#include "agent/options/agent_option_table.h"
#include "common/message_text.h"
#include "common/status_util.h"

namespace dslap {
namespace {

bool IsFlag(const AgentOption& option) {
  return std::holds_alternative<AgentFlagField>(option.field);
}

absl::Status ApplyArgument(absl::string_view argument, AgentOptions* options) {
  if (!absl::StartsWith(argument, "--")) {
    return absl::InvalidArgumentError(
        absl::StrCat(absl::StartsWith(argument, "-") ? "unknown option '" : "unexpected argument '",
                     argument, "': see dslap-agent --help"));
  }
  const size_t equals = argument.find('=');
  const bool has_value = equals != absl::string_view::npos;
  const AgentOption* const option =
      FindAgentOption(argument.substr(2, has_value ? equals - 2 : absl::string_view::npos));
  if (option == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("unknown option '", argument, "': see dslap-agent --help"));
  }
  const absl::string_view value = has_value ? argument.substr(equals + 1) : "";
  if (IsFlag(*option) && has_value) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", argument, "': --", option->name, " takes no value"));
  }
  if (!IsFlag(*option) && value.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("--", option->name, " needs a value: --",
                                                   option->name, "=", option->placeholder));
  }
  RETURN_IF_ERROR(
      Annotate(StoreAgentOption(*option, value, options), absl::StrCat("--", option->name)));
  options->places[absl::StrCat(option->name)] = absl::StrCat(kCommandLinePlace);
  return absl::OkStatus();
}

// One file's lines, into options that the command line has gone into already.
class ConfApplier {
 public:
  explicit ConfApplier(AgentOptions* options) : options_(options), said_(options->places) {}

  absl::Status Apply(const AgentConfLine& line) {
    if (!line.error.empty()) return absl::InvalidArgumentError(line.error);
    const std::string shown = Quoted(line.name);
    const AgentOption* const option = FindAgentOption(line.name);
    if (option == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("unknown option ", shown, ": see dslap-agent --help"));
    }
    if (option->command_line_only) {
      return absl::InvalidArgumentError(
          absl::StrCat(shown, " belongs on the command line: leave the line out"));
    }
    if (IsFlag(*option) && line.value.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat(shown, " takes no value: write it alone, or leave the line out"));
    }
    if (!IsFlag(*option) && line.value.value_or("").empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat(shown, " needs a value: ", option->name, " = ", option->placeholder));
    }
    const auto [first, is_new] = lines_.emplace(line.name, line.number);
    if (!is_new && !std::holds_alternative<AgentListField>(option->field)) {
      return absl::InvalidArgumentError(absl::StrCat(shown, " stands in line ", first->second,
                                                     " already: leave one of the two out"));
    }
    return Annotate(Store(*option, line), shown);
  }

 private:
  absl::Status Store(const AgentOption& option, const AgentConfLine& line) {
    const bool overruled = said_.find(option.name) != said_.end();
    // A wrong value is one also where it does not count.
    AgentOptions unused;
    AgentOptions* const into = overruled ? &unused : options_;
    RETURN_IF_ERROR(StoreAgentOption(option, line.value.value_or(""), into));
    std::string& place = into->places[line.name];
    place = place.empty() ? absl::StrCat(options_->config, ":", line.number)
                          : absl::StrCat(place, ",", line.number);
    return absl::OkStatus();
  }

  AgentOptions* const options_;
  const std::map<std::string, std::string, std::less<>> said_;  // by the command line
  std::map<std::string, size_t> lines_;                         // name -> where it stands first
};

absl::StatusOr<std::string> ReadConf(const std::string& path, const AgentConfReader& read_file) {
  absl::StatusOr<std::string> text = read_file(path);
  if (!text.ok()) return Annotate(text.status(), "--config");
  if (text->size() > kLongestConfFile) {
    return absl::InvalidArgumentError(absl::StrCat("--config: ", path, " has more than ",
                                                   kLongestConfFile,
                                                   " bytes: is it a configuration file?"));
  }
  return text;
}

}  // namespace

ParsedAgentOptions ReadAgentOptions(const std::vector<std::string>& arguments,
                                    const AgentConfReader& read_file) {
  ParsedAgentOptions parsed;
  AgentOptions& options = parsed.options;
  const auto note = [&parsed](absl::Status status) {
    if (!status.ok()) parsed.errors.push_back(std::move(status));
  };
  for (const std::string& argument : arguments) note(ApplyArgument(argument, &options));
  if (options.config.empty() || options.help || options.version) return parsed;
  const absl::StatusOr<std::string> text = ReadConf(options.config, read_file);
  note(text.status());
  if (!text.ok()) return parsed;
  ConfApplier applier(&options);
  for (const AgentConfLine& line : ReadAgentConfLines(*text)) {
    note(Annotate(applier.Apply(line), absl::StrCat(options.config, ":", line.number)));
  }
  return parsed;
}

absl::StatusOr<AgentOptions> ParseAgentOptions(const std::vector<std::string>& arguments,
                                               const AgentConfReader& read_file) {
  ParsedAgentOptions parsed = ReadAgentOptions(arguments, read_file);
  if (!parsed.errors.empty()) return parsed.errors.front();
  return std::move(parsed.options);
}

}  // namespace dslap
