// Any text and any delimiter: statements are parts of the text, in order, and each of them is one
// statement again. The first line of an input is the delimiter, in which "\n" is a line end. And
// any content, quoted: what was joined is cut where it was joined.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "controller/plan/statement_splitter.h"
#include "tests/fuzz/check.h"

namespace dslap {
namespace {

bool HoldsDelimiterCommand(std::string_view text) {
  return absl::AsciiStrToLower(std::string(text)).find("delimiter") != std::string::npos;
}

void CheckOneAgain(std::string_view statement, std::string_view delimiter) {
  // Where a statement is a text of its own, a byte order mark may be at the beginning and "--" at
  // the end, where they mean something else.
  if (statement.starts_with("\xEF\xBB\xBF") || statement.ends_with("--")) return;
  const auto again = SplitStatements(statement, delimiter);
  DSLAP_FUZZ_CHECK(again.ok());
  DSLAP_FUZZ_CHECK(again->size() == 1);
  DSLAP_FUZZ_CHECK(again->front() == statement);
}

void CheckSplit(std::string_view text, std::string_view delimiter) {
  const bool fixed_delimiter = !HoldsDelimiterCommand(text);
  StatementSplitter splitter(text, delimiter);
  const char* end_of_last = text.data();
  size_t statements = 0;
  while (const auto statement = splitter.Next()) {
    ++statements;
    DSLAP_FUZZ_CHECK(!statement->empty());
    DSLAP_FUZZ_CHECK(statement->data() >= end_of_last);
    end_of_last = statement->data() + statement->size();
    DSLAP_FUZZ_CHECK(end_of_last <= text.data() + text.size());
    if (fixed_delimiter) CheckOneAgain(*statement, delimiter);
  }
  DSLAP_FUZZ_CHECK(!splitter.Next().has_value());
  DSLAP_FUZZ_CHECK(splitter.status().ok() ||
                   absl::StartsWith(splitter.status().message(), "line "));
  const auto all = SplitStatements(text, delimiter);
  DSLAP_FUZZ_CHECK(all.ok() == splitter.status().ok());
  DSLAP_FUZZ_CHECK(!all.ok() || all->size() == statements);
}

// "select " and the content between quotes of a kind that the content chooses.
std::string Quoted(std::string_view content) {
  constexpr std::string_view kQuotes = "'\"`";
  const char quote = kQuotes[content.size() % kQuotes.size()];
  std::string statement = std::string("select ") + quote;
  for (const char c : content) {
    if (c == quote) statement += quote;
    if (c == '\\' && quote != '`') statement += '\\';
    statement += c;
  }
  return statement + quote;
}

void CheckJoined(std::string_view content, std::string_view delimiter) {
  if (delimiter.find_first_of("select '\"`#-/*\\") != std::string_view::npos) return;
  std::vector<std::string> statements;
  std::string text;
  for (size_t at = 0; at < content.size(); at += 7) {
    statements.push_back(Quoted(content.substr(at, 7)));
    text += statements.back();
    text += delimiter;
  }
  const auto split = SplitStatements(text, delimiter);
  DSLAP_FUZZ_CHECK(split.ok());
  DSLAP_FUZZ_CHECK(std::equal(split->begin(), split->end(), statements.begin(), statements.end()));
}

}  // namespace
}  // namespace dslap

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t line_end = input.find('\n');
  if (line_end == std::string_view::npos) return 0;
  const std::string delimiter =
      absl::StrReplaceAll(std::string(input.substr(0, line_end)), {{"\\n", "\n"}, {"\\r", "\r"}});
  // Copied, so that a read beyond the end is seen.
  const std::string text(input.substr(line_end + 1));
  dslap::CheckSplit(text, delimiter);
  if (!delimiter.empty()) dslap::CheckJoined(text, delimiter);
  return 0;
}
