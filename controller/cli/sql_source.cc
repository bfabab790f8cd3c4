#include "controller/cli/sql_source.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/message_text.h"
#include "common/status_util.h"
#include "controller/cli/value_parser.h"

namespace dslap {
namespace {

absl::Status CannotRead(absl::string_view option, absl::string_view path, absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat(option, ": cannot read the file ", Quoted(path), ": ", why));
}

// The reason in a message such as "/a/b: No such file or directory".
absl::string_view ReasonOf(const absl::Status& status, absl::string_view path) {
  absl::string_view message = status.message();
  if (absl::ConsumePrefix(&message, path)) absl::ConsumePrefix(&message, ": ");
  return message;
}

absl::StatusOr<std::string> ReadNamedFile(absl::string_view option, const std::string& path,
                                          const Environment& environment) {
  absl::StatusOr<std::string> content = environment.read_file(path);
  if (!content.ok()) return CannotRead(option, path, ReasonOf(content.status(), path));
  return content;
}

}  // namespace

bool LooksLikeFileName(absl::string_view value) {
  constexpr absl::string_view kOnlyInSql = "();'\"`*<>";
  const bool sql = std::any_of(value.begin(), value.end(), [&](char c) {
    return absl::ascii_isspace(static_cast<unsigned char>(c)) ||
           kOnlyInSql.find(c) != absl::string_view::npos;
  });
  if (sql) return false;
  if (absl::StrContains(value, '/')) return true;
  constexpr absl::string_view kEndings[] = {".sql", ".txt", ".ddl", ".dml", ".dump"};
  return std::any_of(std::begin(kEndings), std::end(kEndings), [&](absl::string_view ending) {
    return absl::EndsWithIgnoreCase(value, ending);
  });
}

absl::StatusOr<std::string> ReadSqlSource(absl::string_view option, const std::string& value,
                                          const Environment& environment) {
  if (absl::StartsWith(value, "@")) return ReadNamedFile(option, value.substr(1), environment);
  const bool like_file = LooksLikeFileName(value);
  const absl::StatusOr<FileInfo> info = environment.inspect_file(value);
  if (info.ok() && !info->directory) return ReadNamedFile(option, value, environment);
  if (!like_file) return value;
  const absl::string_view why =
      info.ok() ? absl::string_view("it is a directory") : ReasonOf(info.status(), value);
  const absl::Status refused = CannotRead(option, value, why);
  return absl::InvalidArgumentError(
      absl::StrCat(refused.message(), " (if it is meant as SQL, put a blank into it)"));
}

}  // namespace dslap
