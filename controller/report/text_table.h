// Rows of cells as aligned columns, two blanks apart.
//
//   TextTable table({TextTable::kLeft, TextTable::kRight});
//   table.AddRow({"Agent", "clients"});
//   table.AddRow({"db-a:7527", "25"});
//   out << table.Format("\t");      // "\tAgent      clients\n\tdb-a:7527       25\n"
//
// Pure. Not thread-safe.
#ifndef DSLAP_CONTROLLER_REPORT_TEXT_TABLE_H_
#define DSLAP_CONTROLLER_REPORT_TEXT_TABLE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace dslap {

class TextTable {
 public:
  enum Alignment { kLeft, kRight };

  explicit TextTable(std::vector<Alignment> columns) : columns_(std::move(columns)) {}

  // Missing cells are empty; cells beyond the columns are not allowed.
  void AddRow(std::vector<std::string> cells);
  // A line of its own between the rows, not aligned.
  void AddLine(std::string line);

  // Every line with `prefix` in front, no blanks at its end, and a line feed.
  std::string Format(absl::string_view prefix) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    bool is_line = false;  // cells holds the line alone
  };

  std::vector<Alignment> columns_;
  std::vector<Row> rows_;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_TEXT_TABLE_H_
