#include "controller/report/text_table.h"

#include "gtest/gtest.h"

namespace dslap {
namespace {

TEST(TextTableTest, AlignsColumns) {
  TextTable table({TextTable::kLeft, TextTable::kRight, TextTable::kLeft});
  table.AddRow({"Agent", "clients", "state"});
  table.AddRow({"db-a:7527", "25", "ok"});
  EXPECT_EQ(table.Format("\t"),
            "\tAgent      clients  state\n"
            "\tdb-a:7527       25  ok\n");
}

TEST(TextTableTest, NoBlanksAtTheEndAndMissingCellsAreEmpty) {
  TextTable table({TextTable::kLeft, TextTable::kLeft});
  table.AddRow({"a", "long cell"});
  table.AddRow({"b"});
  EXPECT_EQ(table.Format(""), "a  long cell\nb\n");
}

TEST(TextTableTest, LinesDoNotWidenTheColumns) {
  TextTable table({TextTable::kLeft, TextTable::kRight});
  table.AddRow({"a", "1"});
  table.AddLine("  a line of its own");
  table.AddRow({"b", "22"});
  EXPECT_EQ(table.Format(""), "a   1\n  a line of its own\nb  22\n");
}

TEST(TextTableTest, MeasuresInColumnsNotInBytes) {
  TextTable table({TextTable::kLeft, TextTable::kRight});
  table.AddRow({"\u00fc", "1"});
  table.AddRow({"u", "2"});
  EXPECT_EQ(table.Format(""), "\u00fc  1\nu  2\n");
}

}  // namespace
}  // namespace dslap
