#include "controller/report/text_table.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "controller/report/terminal_text.h"

namespace dslap {

void TextTable::AddRow(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back({std::move(cells), false});
}

void TextTable::AddLine(std::string line) { rows_.push_back({{std::move(line)}, true}); }

std::string TextTable::Format(absl::string_view prefix) const {
  std::vector<size_t> widths(columns_.size(), 0);
  for (const Row& row : rows_) {
    for (size_t i = 0; !row.is_line && i < row.cells.size(); ++i) {
      widths[i] = std::max(widths[i], DisplayWidth(row.cells[i]));
    }
  }
  std::string out;
  for (const Row& row : rows_) {
    std::string line;
    for (size_t i = 0; i < row.cells.size(); ++i) {
      const std::string& cell = row.cells[i];
      const size_t pad = row.is_line ? 0 : widths[i] - DisplayWidth(cell);
      if (i > 0) line += "  ";
      if (columns_[i] == kRight) line.append(pad, ' ');
      line += cell;
      if (columns_[i] == kLeft) line.append(pad, ' ');
    }
    absl::StrAppend(&out, prefix, absl::StripTrailingAsciiWhitespace(line), "\n");
  }
  return out;
}

}  // namespace dslap
