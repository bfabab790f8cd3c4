#include "agent/engine/key_list.h"

#include <algorithm>
#include <utility>

namespace dslap {

std::string EscapeKey(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    if (c == '\'' || c == '\\') escaped.push_back(c);
    escaped.push_back(c);
  }
  return escaped;
}

bool AnyTakesKey(const StatementList& statements) {
  return std::any_of(statements.statements.begin(), statements.statements.end(),
                     [](const LoadStatement& statement) { return statement.takes_key; });
}

bool KeyListReader::OnRow(SqlRow row) {
  if (!row.empty() && row.front().has_value()) escaped_.push_back(EscapeKey(*row.front()));
  return true;
}

KeyList KeyListReader::Take(const StatementList& statements) {
  size_t longest_key = 0;
  for (const std::string& key : escaped_) longest_key = std::max(longest_key, key.size());
  size_t longest_text = 0;
  for (const LoadStatement& statement : statements.statements) {
    if (statement.takes_key) longest_text = std::max(longest_text, statement.text.size());
  }
  constexpr size_t kBlankAndQuotes = 3;
  return {std::exchange(escaped_, {}), longest_text + kBlankAndQuotes + longest_key};
}

}  // namespace dslap
