// The keys that keyed statements draw from, read from the database once before a round.
//
//   KeyListReader reader;
//   SqlOutcome outcome = RunBlocking(connection, {SqlOperation::Kind::kQuery, key_query, &reader});
//   KeyList keys = reader.Take(statements);
#ifndef DSLAP_AGENT_ENGINE_KEY_LIST_H_
#define DSLAP_AGENT_ENGINE_KEY_LIST_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "agent/engine/load_engine.h"
#include "agent/sql/sql_connection.h"

namespace dslap {

struct KeyList {
  std::vector<std::string> escaped;  // each ready to stand between single quotes
  size_t longest_text = 0;           // bytes of the longest keyed statement that can come of them
};

// `text` with quotes and backslashes doubled, as it stands between single quotes.
std::string EscapeKey(std::string_view text);

bool AnyTakesKey(const StatementList& statements);

// Takes the first column of every row; NULLs are passed over. Not thread-safe.
class KeyListReader final : public SqlRowSink {
 public:
  bool OnRow(SqlRow row) override;
  KeyList Take(const StatementList& statements);

 private:
  std::vector<std::string> escaped_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_KEY_LIST_H_
