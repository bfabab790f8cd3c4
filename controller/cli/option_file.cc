#include "controller/cli/option_file.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/status_util.h"

namespace dslap {
namespace {

constexpr absl::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool IsQuote(char c) { return c == '"' || c == '\''; }

absl::string_view TrimFront(absl::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  return text;
}

absl::string_view TrimBack(absl::string_view text) {
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

absl::string_view Trim(absl::string_view text) { return TrimFront(TrimBack(text)); }

// Quotes count wherever they stand, in the name and in the middle of a word too; a backslash only
// protects a quote inside quotes.
absl::string_view WithoutComment(absl::string_view line) {
  char quote = 0;
  bool escaped = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (IsQuote(c) && !escaped) {
      if (quote == 0) {
        quote = c;
      } else if (quote == c) {
        quote = 0;
      }
    }
    if (quote == 0 && c == '#') return line.substr(0, i);
    escaped = quote != 0 && c == '\\' && !escaped;
  }
  return line;
}

absl::string_view WithoutQuotes(absl::string_view value) {
  if (value.size() < 2 || !IsQuote(value.front()) || value.front() != value.back()) return value;
  return value.substr(1, value.size() - 2);
}

std::string WithoutEscapes(absl::string_view value) {
  std::string plain;
  plain.reserve(value.size());
  for (size_t i = 0; i < value.size(); ++i) {
    // A backslash at the very end is one: C:\data\.
    if (value[i] != '\\' || i + 1 == value.size()) {
      plain.push_back(value[i]);
      continue;
    }
    const char c = value[++i];
    switch (c) {
      case 'n':
        plain.push_back('\n');
        break;
      case 't':
        plain.push_back('\t');
        break;
      case 'r':
        plain.push_back('\r');
        break;
      case 'b':
        plain.push_back('\b');
        break;
      case 's':
        plain.push_back(' ');
        break;
      case '\\':
      case '"':
      case '\'':
        plain.push_back(c);
        break;
      default:
        plain.push_back('\\');
        plain.push_back(c);
    }
  }
  return plain;
}

class Parser {
 public:
  Parser(const std::string& file, std::vector<std::string>* warnings)
      : file_(file), warnings_(warnings) {}

  absl::StatusOr<std::vector<OptionFileItem>> Parse(absl::string_view text) {
    RETURN_IF_ERROR(CheckIsText(text));
    absl::ConsumePrefix(&text, kByteOrderMark);
    while (!text.empty()) {
      ++line_;
      const size_t end = std::min(text.find('\n'), text.size());
      RETURN_IF_ERROR(ReadLine(Trim(text.substr(0, end))));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::move(items_);
  }

 private:
  absl::Status ReadLine(absl::string_view line) {
    if (line.empty() || line.front() == '#' || line.front() == ';') return absl::OkStatus();
    if (line.front() == '!') return ReadDirective(Trim(WithoutComment(line.substr(1))));
    if (line.front() == '[') return ReadGroup(line.substr(1));
    ReadOption(WithoutComment(line));
    return group_.has_value() ? absl::OkStatus()
                              : Wrong(
                                    "an option without a group; put a line such as [client] "
                                    "above it");
  }

  absl::Status CheckIsText(absl::string_view text) const;
  absl::Status ReadDirective(absl::string_view directive);
  absl::Status ReadGroup(absl::string_view after_bracket);
  void ReadOption(absl::string_view line);

  std::string Here() const { return absl::StrCat(file_, ":", line_, ": "); }
  absl::Status Wrong(absl::string_view why) const {
    return absl::InvalidArgumentError(absl::StrCat(Here(), why));
  }

  const std::string& file_;
  std::vector<std::string>* const warnings_;
  std::vector<OptionFileItem> items_;
  std::optional<std::string> group_;
  int line_ = 0;
};

// The programs cut a line at a NUL, or take the NUL out: both would run something else than what is
// written. In practice such a file is UTF-16.
absl::Status Parser::CheckIsText(absl::string_view text) const {
  const size_t nul = text.find('\0');
  if (nul == absl::string_view::npos) return absl::OkStatus();
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(nul), '\n');
  return absl::InvalidArgumentError(absl::StrCat(
      file_, ":", line, ": holds a NUL byte, so it is no text file; save it as UTF-8"));
}

absl::Status Parser::ReadDirective(absl::string_view directive) {
  const auto* const blank = std::find_if(directive.begin(), directive.end(), IsSpace);
  const absl::string_view keyword =
      directive.substr(0, static_cast<size_t>(blank - directive.begin()));
  if (keyword != "include" && keyword != "includedir") {
    // Not repeated: the line may be anything, a password too.
    warnings_->push_back(absl::StrCat(
        Here(), "unknown directive is passed over; there are !include and !includedir"));
    return absl::OkStatus();
  }
  OptionFileInclude include;
  include.path = absl::StrCat(TrimFront(directive.substr(keyword.size())));
  include.directory = keyword == "includedir";
  include.line = line_;
  if (include.path.empty()) {
    return Wrong(absl::StrCat("!", keyword, " needs the name of a ",
                              include.directory ? "directory" : "file"));
  }
  items_.emplace_back(std::move(include));
  return absl::OkStatus();
}

absl::Status Parser::ReadGroup(absl::string_view after_bracket) {
  const size_t end = after_bracket.find(']');
  if (end == absl::string_view::npos) return Wrong("a group's name ends with ']'");
  // Blanks in front belong to the name, as the programs have it.
  group_.emplace(TrimBack(after_bracket.substr(0, end)));
  return absl::OkStatus();
}

void Parser::ReadOption(absl::string_view line) {
  OptionFileEntry entry;
  entry.group = group_.value_or("");
  entry.file = file_;
  entry.line = line_;
  const size_t equals = line.find('=');
  entry.name = absl::StrCat(TrimBack(line.substr(0, equals)));
  if (equals != absl::string_view::npos) {
    entry.value = Secret(WithoutEscapes(WithoutQuotes(Trim(line.substr(equals + 1)))));
  }
  items_.emplace_back(std::move(entry));
}

}  // namespace

absl::StatusOr<std::vector<OptionFileItem>> ParseOptionFile(absl::string_view text,
                                                            const std::string& file,
                                                            std::vector<std::string>* warnings) {
  return Parser(file, warnings).Parse(text);
}

}  // namespace dslap
