// The text of the script; what bash makes of it: tests/packages/completion_test.cc.
#include "common/manual/bash_completion.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using testing::HasSubstr;
using testing::Not;

ProgramManual Manual() {
  ProgramManual manual;
  manual.program = "some-program";
  OptionEntry engine;
  engine.name = "engine";
  engine.letter = 'e';
  engine.value = ValueUse::kRequired;
  engine.placeholder = "NAME,...";
  engine.choices = {"a", "b"};
  OptionEntry csv;
  csv.name = "csv";
  csv.value = ValueUse::kOptional;
  csv.placeholder = "FILE";
  OptionEntry count;
  count.name = "count";
  count.value = ValueUse::kRequired;
  count.placeholder = "N";
  OptionEntry flag;
  flag.name = "drop";
  flag.may_be_skipped = true;
  OptionEntry first;
  first.name = "no-defaults";
  first.first_only = true;
  manual.options = {engine, csv, count, flag, first};
  return manual;
}

TEST(BashCompletion, IsBoundToTheProgram) {
  EXPECT_THAT(BashCompletion(Manual()), HasSubstr("complete -F _some_program some-program\n"));
}

TEST(BashCompletion, ListsEachSpellingOfAnOption) {
  const std::string script = BashCompletion(Manual());
  EXPECT_THAT(script, HasSubstr("options='--engine= --csv --csv= --count= --drop'\n"));
  EXPECT_THAT(script, HasSubstr("first_only='--no-defaults'\n"));
  EXPECT_THAT(script, HasSubstr("skippable='--skip-drop'\n"));
}

TEST(BashCompletion, TellsWhatIsKnownOfAValue) {
  const std::string script = BashCompletion(Manual());
  EXPECT_THAT(script, HasSubstr("      --engine | -e) kind='choice' choices='a b' list=1 ;;\n"
                                "      --csv) kind='file' ;;\n    esac\n"));
  EXPECT_THAT(script, Not(HasSubstr("--count)")));
}

TEST(BashCompletion, TakesTheNextWordForAValueOnlyWhereTheProgramDoes) {
  ProgramManual manual = Manual();
  EXPECT_THAT(BashCompletion(manual), HasSubstr("separate=''\n"));
  manual.separate_values = true;
  EXPECT_THAT(BashCompletion(manual), HasSubstr("separate='--engine -e --count'\n"));
}

}  // namespace
}  // namespace dslap
