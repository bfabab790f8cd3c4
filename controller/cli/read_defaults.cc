#include "controller/cli/read_defaults.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/status_util.h"
#include "controller/cli/defaults_files.h"
#include "controller/cli/option_names.h"
#include "controller/cli/store_option.h"

namespace dslap {
namespace {

constexpr absl::string_view kMask = "*****";

absl::StatusOr<DefaultsRequest> RequestOf(const CommandLine& line) {
  DefaultsRequest request;
  for (const ParsedOption& option : line.options) {
    if (option.spec->name == "no-defaults") request.none = true;
    if (option.spec->name == "no-login-paths") request.no_login_file = true;
    if (option.spec->name == "defaults-file") request.only_file = option.text;
    if (option.spec->name == "defaults-extra-file") request.extra_file = option.text;
    if (option.spec->name == "defaults-group-suffix") request.group_suffix = option.text;
  }
  const std::pair<absl::string_view, const std::optional<std::string>&> files[] = {
      {"--defaults-file", request.only_file}, {"--defaults-extra-file", request.extra_file}};
  for (const auto& [name, file] : files) {
    if (!file.has_value()) continue;
    if (request.none) {
      return absl::InvalidArgumentError(
          absl::StrCat("--no-defaults and ", name, " exclude each other; leave one out"));
    }
    if (file->empty()) return absl::InvalidArgumentError(absl::StrCat(name, "=: names no file"));
  }
  return request;
}

absl::StatusOr<Compat> CompatOf(const ParsedOption& option, const OptionVocabulary& vocabulary) {
  OptionDraft draft;
  RETURN_IF_ERROR(StoreOption(option, vocabulary, &draft));
  return draft.options.compat;
}

absl::StatusOr<std::optional<Compat>> CompatOnCommandLine(const CommandLine& line,
                                                          const OptionVocabulary& vocabulary) {
  std::optional<Compat> compat;
  for (const ParsedOption& option : line.options) {
    if (option.spec->name != "compat") continue;
    ASSIGN_OR_RETURN(compat, CompatOf(option, vocabulary));
  }
  return compat;
}

absl::StatusOr<std::optional<Compat>> CompatInFiles(const std::vector<OptionFileEntry>& entries,
                                                    const OptionVocabulary& vocabulary) {
  std::optional<Compat> compat;
  for (const OptionFileEntry& entry : entries) {
    const NameMatch match = MatchName(CanonicalName(entry.name), vocabulary);
    if (match.option == nullptr || match.option->name != "compat" || !entry.value.has_value()) {
      continue;
    }
    ParsedOption option;
    option.spec = match.option;
    option.shown = "--compat";
    option.text = entry.value->Reveal();
    const absl::StatusOr<Compat> chosen = CompatOf(option, vocabulary);
    if (!chosen.ok()) {
      return Annotate(chosen.status(), absl::StrCat(entry.file, ":", entry.line));
    }
    compat = *chosen;
  }
  return compat;
}

absl::StatusOr<std::vector<OptionFileEntry>> ReadFor(const DefaultsRequest& request, Compat compat,
                                                     const OptionFileAccess& access,
                                                     std::vector<std::string>* warnings) {
  ASSIGN_OR_RETURN(std::vector<OptionFileEntry> entries,
                   ReadDefaultsFiles(request, compat, access, warnings));
  return SelectGroups(std::move(entries), compat, GroupSuffix(request, compat, access));
}

// A slip such as "pasword" is masked by what it may have meant.
bool HoldsSecret(absl::string_view written, const OptionVocabulary& vocabulary) {
  const std::string name = CanonicalName(written);
  const NameMatch match = MatchName(name, vocabulary);
  if (match.option != nullptr) return match.option->secret;
  return absl::StartsWith(absl::StripPrefix(name, "loose-"), "pass");
}

}  // namespace

absl::StatusOr<std::vector<OptionFileEntry>> ReadDefaults(const CommandLine& line,
                                                          const OptionVocabulary& vocabulary,
                                                          const OptionFileAccess& access,
                                                          std::vector<std::string>* warnings) {
  ASSIGN_OR_RETURN(const DefaultsRequest request, RequestOf(line));
  ASSIGN_OR_RETURN(const std::optional<Compat> asked, CompatOnCommandLine(line, vocabulary));
  const Compat first = asked.value_or(Compat::kMySql);
  std::vector<std::string> said;
  absl::StatusOr<std::vector<OptionFileEntry>> entries = ReadFor(request, first, access, &said);
  if (entries.ok() && !asked.has_value()) {
    ASSIGN_OR_RETURN(const std::optional<Compat> found, CompatInFiles(*entries, vocabulary));
    if (found.value_or(first) != first) {
      said.clear();
      entries = ReadFor(request, *found, access, &said);
    }
  }
  warnings->insert(warnings->end(), said.begin(), said.end());
  return entries;
}

bool HasOption(const CommandLine& line, absl::string_view name) {
  return std::any_of(line.options.begin(), line.options.end(),
                     [&](const ParsedOption& option) { return option.spec->name == name; });
}

std::string PrintedDefaults(const std::vector<OptionFileEntry>& entries, const CommandLine& line,
                            const OptionVocabulary& vocabulary) {
  std::string text = "dslap would have been started with the following arguments:\n";
  for (const OptionFileEntry& entry : entries) {
    absl::StrAppend(&text, "--", entry.name);
    if (entry.value.has_value()) {
      absl::StrAppend(&text, "=",
                      HoldsSecret(entry.name, vocabulary) ? kMask : entry.value->Reveal());
    }
    text.push_back(' ');
  }
  for (size_t i = line.first_only_arguments; i < line.shown.size(); ++i) {
    absl::StrAppend(&text, line.shown[i].text, line.shown[i].masked ? kMask : "", " ");
  }
  text.push_back('\n');
  return text;
}

}  // namespace dslap
