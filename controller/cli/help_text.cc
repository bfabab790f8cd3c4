#include "controller/cli/help_text.h"

#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "common/version.h"
#include "controller/cli/option_table.h"

namespace dslap {
namespace {

constexpr size_t kWidth = 80;
constexpr size_t kHelpColumn = 28;

constexpr ExitCodeMeaning kExitCodes[] = {
    {ExitCode::kValid, "finished; all statements and clients did what was asked"},
    {ExitCode::kInternal, "a fault of dslap itself, or output that could not be written"},
    {ExitCode::kUsage, "the command line, or a file that it names"},
    {ExitCode::kFailures,
     "finished or stopped, but statements or clients failed, or --deadline passed"},
    {ExitCode::kAgentUnavailable,
     "an agent unreachable, refused, busy or incompatible; nothing was measured"},
    {ExitCode::kAgentLost, "an agent was lost during the run; a partial report was printed"},
    {ExitCode::kSetUpFailed, "set-up or tear-down in the database failed"},
    {ExitCode::kInterrupted, "interrupted by a signal; a partial report was printed"},
};

constexpr absl::string_view kIntroduction =
    R"(dslap: mysqlslap for many hosts. Executes SQL statements with many clients at
once against MySQL or MariaDB, from this host or from several, and reports how
long that took. Takes mysqlslap's options.

Usage: dslap [OPTIONS]             run a benchmark
       dslap agents --agents=...   show agents: reachable, version, size, busy

Values: --name=VALUE or --name VALUE; -n VALUE or -nVALUE; an optional [VALUE]
only attached. Numbers may end in K, M or G (1024-based). A long name may be cut
as long as it stays unique. --skip-NAME switches a flag off.

Option files: read before the command line, in this order: /etc/my.cnf
/etc/mysql/my.cnf $MYSQL_HOME/my.cnf ~/.my.cnf; of them the groups [mysqlslap]
and [client] (with --compat=mariadb [mariadb-slap], [client-server] and
[client-mariadb] too), and last, for dslap alone, [dslap].
)";

constexpr absl::string_view kExamples = R"(
Examples:
  100 clients, 5000 generated statements over all of them, three rounds:
    dslap -u bench -p -a --concurrency=100 --number-of-queries=5000 -i 3
  Your own statements, at three levels of concurrency, for two engines:
    dslap --create=tables.sql --query=queries.sql --delimiter=';' \
          --concurrency=10,50,100 --engine=innodb,myisam
  600 clients, shared by two load hosts:
    dslap -h db1 -u bench --password-file=secret -a -c 600 \
          --number-of-queries=100K --agents=load1,load2 --tls-ca=ca.pem ...
)";

using Words = std::vector<std::string>;

// Appends the words wrapped into the columns from `column` on. The cursor stands at `at`.
void AppendWrapped(const Words& words, size_t column, size_t at, std::string* out) {
  for (const std::string& word : words) {
    if (at > column && at + 1 + word.size() > kWidth) {
      out->push_back('\n');
      at = 0;
    }
    if (at > column) {
      out->push_back(' ');
      ++at;
    } else if (at < column) {
      out->append(column - at, ' ');
      at = column;
    }
    absl::StrAppend(out, word);
    at += word.size();
  }
  out->push_back('\n');
}

void AppendOption(const OptionSpec& spec, std::string* out) {
  const std::string head = absl::StrCat(spec.letter == 0 ? "      " : "  ", OptionSyntax(spec));
  absl::StrAppend(out, head);
  size_t at = head.size();
  if (at + 2 > kHelpColumn) {
    out->push_back('\n');
    at = 0;
  }
  Words words = absl::StrSplit(spec.help, ' ');
  const std::string initial = DefaultText(spec);
  if (!initial.empty()) {
    // In one piece with its first word.
    Words default_words = absl::StrSplit(absl::StrCat(initial, "."), ' ');
    default_words.front() = absl::StrCat("Default: ", default_words.front());
    words.insert(words.end(), default_words.begin(), default_words.end());
  }
  AppendWrapped(words, kHelpColumn, at, out);
}

}  // namespace

std::string OptionSyntax(const OptionSpec& spec) {
  const std::string letter =
      spec.letter == 0 ? "" : absl::StrCat("-", std::string(1, spec.letter), ", ");
  switch (spec.argument) {
    case ArgumentKind::kNone:
      return absl::StrCat(letter, "--", spec.name);
    case ArgumentKind::kRequired:
      return absl::StrCat(letter, "--", spec.name, "=", spec.placeholder);
    case ArgumentKind::kOptional:
      return absl::StrCat(letter, "--", spec.name, "[=", spec.placeholder, "]");
  }
  return "";
}

absl::Span<const ExitCodeMeaning> ExitCodeMeanings() { return kExitCodes; }

std::string HelpText() {
  std::string text(kIntroduction);
  std::optional<OptionGroup> group;
  for (const OptionSpec& spec : OptionTable()) {
    if (group != spec.group) absl::StrAppend(&text, "\n", GroupTitle(spec.group), ":\n");
    group = spec.group;
    AppendOption(spec, &text);
  }
  absl::StrAppend(&text, "\nExit codes:\n");
  for (const ExitCodeMeaning& row : kExitCodes) {
    absl::StrAppendFormat(&text, "  %3d  ", static_cast<int>(row.code));
    AppendWrapped(absl::StrSplit(row.meaning, ' '), 7, 7, &text);
  }
  absl::StrAppend(&text, kExamples);
  return text;
}

std::string VersionText() {
  return absl::StrFormat("dslap  Ver %s, agent protocol %d.%d\n", BuildVersion(), kProtocolMajor,
                         kProtocolMinor);
}

}  // namespace dslap
