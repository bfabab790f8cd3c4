#include "controller/plan/statement_splitter.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace dslap {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kDelimiterCommand = "delimiter";

bool IsSpace(char c) { return absl::ascii_isspace(static_cast<unsigned char>(c)); }

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

// What the server accepts after "--": white space or a control character.
bool OpensDashComment(char c) {
  return IsSpace(c) || absl::ascii_iscntrl(static_cast<unsigned char>(c));
}

}  // namespace

StatementSplitter::StatementSplitter(std::string_view text, std::string_view delimiter)
    : text_(text), delimiter_(delimiter) {
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
}

std::optional<std::string_view> StatementSplitter::Next() {
  if (!status_.ok()) return std::nullopt;
  size_t begin = position_;
  bool content = false;
  size_t at = position_;
  while (at < text_.size()) {
    if (const size_t length = DelimiterAt(at); length > 0) {
      position_ = at + length;
      SkipOneSpace();
      if (content) return text_.substr(begin, at - begin);
      begin = at = position_;
      continue;
    }
    const size_t after = SkipQuoteOrComment(at, &content);
    if (after == kNotFound) return std::nullopt;
    if (after != at) {
      at = after;
      continue;
    }
    if (!content && !IsSpace(text_[at])) {
      if (DelimiterLineAt(at)) {
        at = SkipDelimiterLine(at);
        if (at == kNotFound) return std::nullopt;
        begin = at;
        continue;
      }
      content = true;
    }
    ++at;
  }
  position_ = text_.size();
  if (!content) return std::nullopt;
  return text_.substr(begin);
}

size_t StatementSplitter::DelimiterAt(size_t at) const {
  if (delimiter_.empty()) return 0;
  if (text_[at] == delimiter_[0]) {
    return text_.substr(at, delimiter_.size()) == delimiter_ ? delimiter_.size() : 0;
  }
  return text_[at] == '\r' && delimiter_ == "\n" && text_.substr(at + 1, 1) == "\n" ? 2 : 0;
}

bool StatementSplitter::LineCommentAt(size_t at) const {
  if (text_[at] == '#') return true;
  if (text_.substr(at, 2) != "--") return false;
  return at + 2 == text_.size() || OpensDashComment(text_[at + 2]);
}

size_t StatementSplitter::ExecutableCommentAt(size_t at) const {
  if (text_.substr(at, 3) == "/*!") return 3;
  if (text_.substr(at, 4) == "/*M!") return 4;
  return 0;
}

bool StatementSplitter::DelimiterLineAt(size_t at) const {
  const std::string_view word = text_.substr(at, kDelimiterCommand.size());
  if (word.size() < kDelimiterCommand.size() ||
      !std::equal(word.begin(), word.end(), kDelimiterCommand.begin(), [](char a, char b) {
        return absl::ascii_tolower(static_cast<unsigned char>(a)) == b;
      })) {
    return false;
  }
  const size_t after = at + word.size();
  if (after < text_.size() && !IsSpace(text_[after])) return false;
  while (at > 0 && IsBlank(text_[at - 1])) --at;
  return at == 0 || text_[at - 1] == '\n';
}

size_t StatementSplitter::SkipQuoteOrComment(size_t at, bool* content) {
  switch (text_[at]) {
    case '\'':
    case '"':
    case '`':
      *content = true;
      return SkipQuoted(at);
    case '#':
    case '-':
      return LineCommentAt(at) ? SkipLineComment(at) : at;
    case '/':
      if (text_.substr(at, 2) != "/*") return at;
      if (ExecutableCommentAt(at) == 0) return SkipBlockComment(at);
      *content = true;
      return SkipExecutableComment(at);
    default:
      return at;
  }
}

size_t StatementSplitter::SkipQuoted(size_t at) {
  const char quote = text_[at];
  for (size_t i = at + 1; i < text_.size(); ++i) {
    if (text_[i] == quote) {
      if (i + 1 == text_.size() || text_[i + 1] != quote) return i + 1;
      ++i;
    } else if (text_[i] == '\\' && quote != '`') {
      ++i;
    }
  }
  switch (quote) {
    case '`':
      return Fail(at, "the name that begins with ` is never closed: add the closing `");
    case '"':
      return Fail(at,
                  "the string that begins with \" is never closed: add the closing \" (inside a "
                  "string it is written \"\" or \\\")");
    default:
      return Fail(at,
                  "the string that begins with ' is never closed: add the closing ' (inside a "
                  "string it is written '' or \\')");
  }
}

size_t StatementSplitter::SkipBlockComment(size_t at) {
  const size_t end = text_.find("*/", at + 2);
  if (end == kNotFound) {
    return Fail(at, "the comment that begins with /* is never closed: add */");
  }
  return end + 2;
}

size_t StatementSplitter::SkipExecutableComment(size_t at) {
  const size_t opened = at;
  size_t depth = 0;
  while (at < text_.size()) {
    if (const size_t length = ExecutableCommentAt(at); length > 0) {
      ++depth;
      at += length;
      continue;
    }
    if (text_.substr(at, 2) == "*/") {
      at += 2;
      if (--depth == 0) return at;
      continue;
    }
    bool content = false;
    const size_t after = SkipQuoteOrComment(at, &content);
    if (after == kNotFound) return kNotFound;
    at = std::max(after, at + 1);
  }
  return Fail(opened,
              "the executable comment that begins with /*! or /*M! is never closed: add */");
}

size_t StatementSplitter::SkipLineComment(size_t at) const {
  const size_t end = text_.find('\n', at);
  if (end == kNotFound) return text_.size();
  // The line end is left over: it may be the delimiter.
  return text_[end - 1] == '\r' ? end - 1 : end;
}

size_t StatementSplitter::SkipDelimiterLine(size_t at) {
  const size_t line = at;
  const size_t end = std::min(text_.find('\n', at), text_.size());
  at += kDelimiterCommand.size();
  while (at < end && IsSpace(text_[at])) ++at;
  const size_t begin = at;
  while (at < end && !IsSpace(text_[at])) ++at;
  if (at == begin) {
    return Fail(line, "DELIMITER without a delimiter: write for example DELIMITER //");
  }
  delimiter_ = text_.substr(begin, at - begin);
  return std::min(end + 1, text_.size());
}

void StatementSplitter::SkipOneSpace() {
  if (position_ >= text_.size() || !IsSpace(text_[position_])) return;
  position_ += text_.substr(position_, 2) == "\r\n" ? 2 : 1;
}

size_t StatementSplitter::Fail(size_t at, std::string_view what) {
  const auto line = std::count(text_.begin(), text_.begin() + static_cast<ptrdiff_t>(at), '\n') + 1;
  status_ = absl::InvalidArgumentError(
      absl::StrCat("line ", line, ": ", absl::string_view(what.data(), what.size())));
  return kNotFound;
}

absl::StatusOr<std::vector<std::string_view>> SplitStatements(std::string_view text,
                                                              std::string_view delimiter) {
  std::vector<std::string_view> statements;
  StatementSplitter splitter(text, delimiter);
  while (std::optional<std::string_view> statement = splitter.Next()) {
    statements.push_back(*statement);
  }
  if (!splitter.status().ok()) return splitter.status();
  return statements;
}

}  // namespace dslap
