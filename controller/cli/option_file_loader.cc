#include "controller/cli/option_file_loader.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/secret.h"
#include "common/status_util.h"

namespace dslap {
namespace {

constexpr int kDeepestInclude = 10;
// Ten levels of a file that includes itself twice are a thousand files; nobody means that.
constexpr int kMostFiles = 1000;

}  // namespace

OptionFileLoader::OptionFileLoader(const OptionFileAccess& access, std::string home,
                                   std::vector<std::string>* warnings)
    : access_(access), home_(std::move(home)), warnings_(warnings) {}

std::vector<OptionFileEntry> OptionFileLoader::TakeEntries() { return std::move(entries_); }

absl::Status OptionFileLoader::LoadIfThere(const std::string& path) {
  const std::string file = InHome(path);
  absl::StatusOr<std::optional<std::string>> text = ReadText(file);
  if (text.ok()) return Add(file, *std::move(text), 0);
  if (!absl::IsNotFound(text.status())) {
    warnings_->push_back(absl::StrCat("option file is passed over: ", text.status().message()));
  }
  return absl::OkStatus();
}

absl::Status OptionFileLoader::LoadRequired(const std::string& path, absl::string_view asked_by) {
  const std::string file = InHome(path);
  absl::StatusOr<std::optional<std::string>> text = ReadText(file);
  if (text.ok()) return Add(file, *std::move(text), 0);
  return absl::InvalidArgumentError(
      absl::StrCat(asked_by, ": cannot read the option file ", text.status().message()));
}

absl::StatusOr<std::optional<std::string>> OptionFileLoader::ReadText(const std::string& path) {
  ASSIGN_OR_RETURN(const OptionFileInfo info, access_.inspect(path));
  if (info.directory) return absl::FailedPreconditionError(absl::StrCat(path, ": Is a directory"));
  // Only a plain file: the mode of a pipe or a terminal says nothing of who wrote what is in it.
  if (info.regular && info.writable_by_all) {
    warnings_->push_back(absl::StrCat("option file ", path,
                                      " is passed over: everybody may write to it (chmod o-w)"));
    return std::nullopt;
  }
  return access_.read(path);
}

absl::Status OptionFileLoader::Add(const std::string& path, std::optional<std::string> text,
                                   int depth) {
  if (!text.has_value()) return absl::OkStatus();
  if (++files_read_ > kMostFiles) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": more than ", kMostFiles,
                                                   " option files; do they include each other?"));
  }
  absl::StatusOr<std::vector<OptionFileItem>> items = ParseOptionFile(*text, path, warnings_);
  WipeString(&*text);
  RETURN_IF_ERROR(items.status());
  for (OptionFileItem& item : *items) {
    if (auto* const entry = std::get_if<OptionFileEntry>(&item)) {
      entries_.push_back(std::move(*entry));
    } else {
      RETURN_IF_ERROR(Include(std::get<OptionFileInclude>(item), path, depth));
    }
  }
  return absl::OkStatus();
}

absl::Status OptionFileLoader::Include(const OptionFileInclude& include, const std::string& from,
                                       int depth) {
  const std::string where = absl::StrCat(from, ":", include.line, ": ");
  if (depth >= kDeepestInclude) {
    warnings_->push_back(absl::StrCat(where, "include is passed over: it would be more than ",
                                      kDeepestInclude, " deep"));
    return absl::OkStatus();
  }
  const std::string path = InHome(include.path);
  return include.directory ? IncludeDirectory(path, where, depth + 1)
                           : IncludeFile(path, where, depth + 1);
}

absl::Status OptionFileLoader::IncludeFile(const std::string& path, const std::string& where,
                                           int depth) {
  absl::StatusOr<std::optional<std::string>> text = ReadText(path);
  if (text.ok()) return Add(path, *std::move(text), depth);
  warnings_->push_back(
      absl::StrCat(where, "included file is passed over: ", text.status().message()));
  return absl::OkStatus();
}

absl::Status OptionFileLoader::IncludeDirectory(const std::string& path, const std::string& where,
                                                int depth) {
  absl::StatusOr<std::vector<std::string>> names = access_.list(path);
  if (!names.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(where, "cannot read the included directory ", names.status().message()));
  }
  std::sort(names->begin(), names->end());
  const absl::string_view slash = absl::EndsWith(path, "/") ? "" : "/";
  for (const std::string& name : *names) {
    if (!absl::EndsWith(name, ".cnf")) continue;
    RETURN_IF_ERROR(IncludeFile(absl::StrCat(path, slash, name), where, depth));
  }
  return absl::OkStatus();
}

std::string OptionFileLoader::InHome(const std::string& path) const {
  if (home_.empty() || !absl::StartsWith(path, "~/")) return path;
  return absl::StrCat(home_, path.substr(1));
}

}  // namespace dslap
