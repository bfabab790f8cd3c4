#include "common/manual/roff.h"

#include "gtest/gtest.h"

namespace dslap {
namespace {

TEST(RoffEscape, LeavesNoCharacterToRoff) {
  EXPECT_EQ(RoffEscape("a\\nb"), "a\\enb");
  EXPECT_EQ(RoffEscape("set-up ~/.my.cnf ^ `x`"), "set\\-up \\(ti/.my.cnf \\(ha \\(gax\\(ga");
}

TEST(RoffEscape, BeginsNoRequest) {
  EXPECT_EQ(RoffEscape(".my.cnf"), "\\&.my.cnf");
  EXPECT_EQ(RoffEscape("'ok'"), "\\&'ok'");
  EXPECT_EQ(RoffEscape("a .b"), "a .b");
}

TEST(RoffText, PrintsNamesOfOptionsInBold) {
  EXPECT_EQ(RoffText("With --ssl-ca, -vv and (--agents) alone."),
            "With \\%\\fB\\-\\-ssl\\-ca\\fR, \\%\\fB\\-vv\\fR and (\\%\\fB\\-\\-agents\\fR) "
            "alone.\n");
  EXPECT_EQ(RoffText("as --ssl-mode=REQUIRED."), "as \\%\\fB\\-\\-ssl\\-mode\\fR=REQUIRED.\n");
}

TEST(RoffText, DoesNotHyphenateCode) {
  EXPECT_EQ(RoffText("caching_sha2_password max_rows=10 plain"),
            "\\%caching_sha2_password \\%max_rows=10 plain\n");
}

TEST(RoffText, TakesDashesAloneForText) {
  EXPECT_EQ(RoffText("a - b -- c -1"), "a \\- b \\-\\- c \\-1\n");
}

OptionEntry Engine() {
  OptionEntry option;
  option.group = "Load";
  option.name = "load-engine";
  option.letter = 'e';
  option.value = ValueUse::kRequired;
  option.placeholder = "auto|N";
  option.default_text = "auto";
  option.help = "How.";
  return option;
}

TEST(RoffOptions, IsATaggedParagraphUnderItsGroup) {
  OptionEntry csv;
  csv.group = "Output";
  csv.name = "csv";
  csv.value = ValueUse::kOptional;
  csv.placeholder = "FILE";
  csv.help = "Fields.";
  OptionEntry flag;
  flag.group = "Output";
  flag.name = "silent";
  flag.help = "Nothing.";
  EXPECT_EQ(RoffOptions({Engine(), csv, flag}),
            ".SS Load\n"
            ".TP\n"
            "\\fB\\-e\\fR, \\fB\\-\\-load\\-engine\\fR=\\fBauto\\fR|\\fIN\\fR\n"
            "How.\n"
            "Default: auto.\n"
            ".SS Output\n"
            ".TP\n"
            "\\fB\\-\\-csv\\fR[=\\fIFILE\\fR]\n"
            "Fields.\n"
            ".TP\n"
            "\\fB\\-\\-silent\\fR\n"
            "Nothing.\n");
}

TEST(RoffSettings, LeavesOutWhatOnlyTheCommandLineHas) {
  OptionEntry help;
  help.name = "help";
  help.help = "Text.";
  help.command_line_only = true;
  OptionEntry flag;
  flag.name = "insecure";
  flag.help = "Open.";
  EXPECT_EQ(RoffSettings({Engine(), help, flag}),
            ".TP\n"
            "\\fBload\\-engine\\fR = \\fBauto\\fR|\\fIN\\fR\n"
            "How.\n"
            "Default: auto.\n"
            ".TP\n"
            "\\fBinsecure\\fR\n"
            "Open.\n");
}

TEST(RoffExitCodes, AreTaggedParagraphs) {
  EXPECT_EQ(RoffExitCodes({{2, "the command line"}, {130, "-x"}}),
            ".TP\n\\fB2\\fR\nthe command line\n.TP\n\\fB130\\fR\n\\%\\fB\\-x\\fR\n");
}

}  // namespace
}  // namespace dslap
