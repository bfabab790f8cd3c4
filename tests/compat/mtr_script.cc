#include "tests/compat/mtr_script.h"

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace dslap {
namespace {

class Parser {
 public:
  absl::Status Line(size_t number, absl::string_view line) {
    if (!sql_.empty()) return Sql(number, line);
    absl::string_view rest = absl::StripAsciiWhitespace(line);
    if (rest.empty() || rest[0] == '#') return absl::OkStatus();
    if (!absl::ConsumePrefix(&rest, "--")) return Sql(number, line);
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(rest, absl::MaxSplits(' ', 1));
    return Command(number, parts.first, parts.second);
  }

  absl::StatusOr<std::vector<MtrCommand>> Finish() {
    if (!sql_.empty()) return Error(sql_line_, "the statement has no end");
    return std::move(commands_);
  }

 private:
  static absl::Status Error(size_t line, absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat("line ", line, ": ", what));
  }

  absl::Status Sql(size_t number, absl::string_view line) {
    if (sql_.empty()) sql_line_ = number;
    absl::StrAppend(&sql_, sql_.empty() ? "" : "\n", absl::StripTrailingAsciiWhitespace(line));
    if (!absl::EndsWith(sql_, ";")) return absl::OkStatus();
    sql_.pop_back();
    Add(MtrCommand::Kind::kSql, sql_line_, sql_);
    sql_.clear();
    return absl::OkStatus();
  }

  absl::Status Command(size_t number, absl::string_view name, absl::string_view argument) {
    if (name == "exec") {
      Add(MtrCommand::Kind::kExec, number, argument);
    } else if (name == "echo") {
      commands_.push_back({MtrCommand::Kind::kEcho, number, std::string(argument), false, {}});
    } else if (name == "error") {
      next_.may_fail = true;
    } else if (name == "replace_regex") {
      return ReplaceRegex(number, argument);
    } else if (name == "source" && argument == "include/not_embedded.inc") {
      // Says only that a server of its own is needed.
    } else if (name != "disable_warnings" && name != "enable_warnings") {
      return Error(number, absl::StrCat("the command --", name, " ", argument, " is not known"));
    }
    return absl::OkStatus();
  }

  // "/pattern/replacement/", perhaps several.
  absl::Status ReplaceRegex(size_t number, absl::string_view argument) {
    const std::vector<std::string> parts = absl::StrSplit(argument, '/');
    if (parts.size() % 3 != 1 || absl::StrContains(argument, "\\/")) {
      return Error(number, absl::StrCat("the regular expressions ", argument, " are not known"));
    }
    for (size_t i = 1; i + 1 < parts.size(); i += 3) {
      next_.replacements.emplace_back(parts[i], parts[i + 1]);
    }
    return absl::OkStatus();
  }

  void Add(MtrCommand::Kind kind, size_t line, absl::string_view text) {
    next_.kind = kind;
    next_.line = line;
    next_.text = std::string(text);
    commands_.push_back(std::move(next_));
    next_ = MtrCommand();
  }

  std::vector<MtrCommand> commands_;
  MtrCommand next_;  // what --error and --replace_regex say about it
  std::string sql_;
  size_t sql_line_ = 0;
};

}  // namespace

absl::StatusOr<std::vector<MtrCommand>> ParseMtrScript(absl::string_view text) {
  Parser parser;
  size_t number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::Status status = parser.Line(++number, line); !status.ok()) return status;
  }
  return parser.Finish();
}

}  // namespace dslap
