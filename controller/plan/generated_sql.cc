#include "controller/plan/generated_sql.h"

#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "controller/plan/initial_random.h"

namespace dslap {
namespace {

constexpr size_t kStringLength = 126;
// U and V are missing in mysqlslap's own table.
constexpr absl::string_view kAlphabet =
    "0123456789ABCDEFGHIJKLMNOPQRSTWXYZabcdefghijklmnopqrstuvwxyz";

class Generator {
 public:
  explicit Generator(const GenerateOptions& options) : options_(options) {}

  GeneratedSql Generate();

 private:
  bool has_key() const { return options_.add_autoincrement || options_.guid_primary; }
  bool has_columns() const { return options_.int_columns > 0 || options_.char_columns > 0; }

  std::string CreateTable() const;
  std::string Insert();
  PlannedStatement Select(bool by_key) const;
  PlannedStatement Update();
  PlannedStatement Query(uint64_t number);

  std::string RandomString();
  // Calls `append(is_int, number)` for every column and writes commas between.
  template <typename Append>
  void ForEachColumn(std::string* sql, Append append) const;

  const GenerateOptions& options_;
  InitialRandom random_;
};

template <typename Append>
void Generator::ForEachColumn(std::string* sql, Append append) const {
  for (uint64_t i = 1; i <= options_.int_columns; ++i) {
    append(true, i);
    if (i < options_.int_columns || options_.char_columns > 0) sql->push_back(',');
  }
  for (uint64_t i = 1; i <= options_.char_columns; ++i) {
    append(false, i);
    if (i < options_.char_columns) sql->push_back(',');
  }
}

GeneratedSql Generator::Generate() {
  GeneratedSql sql;
  sql.create_table = CreateTable();
  for (uint64_t i = 0; i < options_.unique_write_number; ++i) sql.inserts.push_back(Insert());
  for (uint64_t i = 0; i <= options_.unique_query_number; ++i) sql.queries.push_back(Query(i));
  return sql;
}

// The blanks after INT(32) and before a closing INDEX are mysqlslap's, and so is the missing comma
// between the key and the secondary indexes when there is no other column.
std::string Generator::CreateTable() const {
  std::string sql = "CREATE TABLE `t1` (";
  const bool comma = has_columns();
  if (options_.add_autoincrement) absl::StrAppend(&sql, "id serial", comma ? "," : "");
  if (options_.guid_primary) absl::StrAppend(&sql, "id varchar(36) primary key", comma ? "," : "");
  for (uint64_t i = 0; i < options_.secondary_indexes; ++i) {
    absl::StrAppend(&sql, i > 0 ? "," : "", "id", i, " varchar(36) unique key");
  }
  if (options_.secondary_indexes > 0 && comma) sql.push_back(',');
  ForEachColumn(&sql, [&](bool is_int, uint64_t i) {
    if (is_int) {
      absl::StrAppend(&sql, "intcol", i, " INT(32)");
      if (options_.index_int_columns) {
        absl::StrAppend(&sql, ", INDEX(intcol", i, ")");
      } else {
        sql.push_back(' ');
      }
    } else {
      absl::StrAppend(&sql, "charcol", i, " VARCHAR(128)");
      if (options_.index_char_columns) absl::StrAppend(&sql, ", INDEX(charcol", i, ") ");
    }
  });
  sql.push_back(')');
  return sql;
}

std::string Generator::Insert() {
  std::string sql = "INSERT INTO t1 VALUES (";
  const bool comma = has_columns();
  if (options_.add_autoincrement) absl::StrAppend(&sql, "NULL", comma ? "," : "");
  if (options_.guid_primary) absl::StrAppend(&sql, "uuid()", comma ? "," : "");
  for (uint64_t i = 0; i < options_.secondary_indexes; ++i) {
    absl::StrAppend(&sql, i > 0 ? "," : "", "uuid()");
  }
  if (options_.secondary_indexes > 0 && comma) sql.push_back(',');
  ForEachColumn(&sql, [&](bool is_int, uint64_t) {
    if (is_int) {
      absl::StrAppend(&sql, random_.Next());
    } else {
      absl::StrAppend(&sql, "'", RandomString(), "'");
    }
  });
  sql.push_back(')');
  return sql;
}

PlannedStatement Generator::Select(bool by_key) const {
  PlannedStatement statement{.text = "SELECT "};
  ForEachColumn(&statement.text, [&](bool is_int, uint64_t i) {
    absl::StrAppend(&statement.text, is_int ? "intcol" : "charcol", i);
  });
  absl::StrAppend(&statement.text, " FROM t1");
  statement.takes_key = by_key && has_key();
  if (statement.takes_key) absl::StrAppend(&statement.text, " WHERE id = ");
  return statement;
}

PlannedStatement Generator::Update() {
  PlannedStatement statement{.text = "UPDATE t1 SET ", .takes_key = has_key()};
  ForEachColumn(&statement.text, [&](bool is_int, uint64_t i) {
    if (is_int) {
      absl::StrAppend(&statement.text, "intcol", i, " = ", random_.Next());
    } else {
      absl::StrAppend(&statement.text, "charcol", i, " = '", RandomString(), "'");
    }
  });
  if (statement.takes_key) absl::StrAppend(&statement.text, " WHERE id = ");
  return statement;
}

PlannedStatement Generator::Query(uint64_t number) {
  switch (options_.load_type) {
    case LoadType::kRead:
      return Select(/*by_key=*/false);
    case LoadType::kKey:
      return Select(/*by_key=*/true);
    case LoadType::kWrite:
      return {.text = Insert()};
    case LoadType::kUpdate:
      return Update();
    case LoadType::kMixed:
      break;
  }
  if (number % 2 == 1) return Select(/*by_key=*/true);
  return {.text = Insert()};
}

std::string Generator::RandomString() {
  std::string text(kStringLength, '\0');
  for (char& c : text) c = kAlphabet[random_.Next() % kAlphabet.size()];
  return text;
}

}  // namespace

GeneratedSql GenerateSql(const GenerateOptions& options) { return Generator(options).Generate(); }

}  // namespace dslap
