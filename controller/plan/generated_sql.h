// The statements of --auto-generate-sql, byte for byte those of mysqlslap. Pure: the same options
// always give the same statements, and the C library's own random() is not touched.
//
//   GeneratedSql sql = GenerateSql(options.generate);
//
// The programs of Oracle and of MariaDB generate the same text. Both draw numbers and strings from
// random() in its initial state (seed 1), in the order the columns are written: first for the rows
// of the set-up, then for the query list.
#ifndef DSLAP_CONTROLLER_PLAN_GENERATED_SQL_H_
#define DSLAP_CONTROLLER_PLAN_GENERATED_SQL_H_

#include <string>
#include <vector>

#include "controller/options.h"
#include "controller/plan/plan.h"

namespace dslap {

struct GeneratedSql {
  std::string create_table;
  // unique_write_number rows; the set-up goes round them until it has loaded enough.
  std::vector<std::string> inserts;
  // unique_query_number + 1 statements.
  std::vector<PlannedStatement> queries;
};

// Gives what takes_key statements take their keys from.
inline constexpr char kGeneratedKeyQuery[] = "SELECT id from t1";

GeneratedSql GenerateSql(const GenerateOptions& options);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_PLAN_GENERATED_SQL_H_
