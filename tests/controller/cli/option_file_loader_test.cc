#include "controller/cli/option_file_loader.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/controller/cli/fake_option_files.h"

namespace dslap {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class OptionFileLoaderTest : public ::testing::Test {
 protected:
  OptionFileLoader MakeLoader() { return {access_, "/home/alice", &warnings_}; }

  // Names of the entries of `path` with all that it includes; or "error: <message>" alone.
  std::vector<std::string> Names(const std::string& path) {
    OptionFileLoader loader = MakeLoader();
    const absl::Status loaded = loader.LoadIfThere(path);
    if (!loaded.ok()) return {Failure(loaded)};
    std::vector<std::string> names;
    for (const OptionFileEntry& entry : loader.TakeEntries()) names.push_back(entry.name);
    return names;
  }

  std::string Required(const std::string& path) {
    return Failure(MakeLoader().LoadRequired(path, "--defaults-file"));
  }

  static std::string Failure(const absl::Status& status) {
    if (status.ok()) return "ok";
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return absl::StrCat("error: ", status.message());
  }

  FakeOptionFiles files_;
  std::vector<std::string> warnings_;
  OptionFileAccess access_ = files_.MakeAccess();
};

TEST_F(OptionFileLoaderTest, SeveralFilesAreAppendedInTheOrderOfTheCalls) {
  files_.files["/b"] = "[g]\nb\n";
  files_.files["/a"] = "[g]\na\n";
  OptionFileLoader loader = MakeLoader();
  ASSERT_TRUE(loader.LoadIfThere("/b").ok());
  ASSERT_TRUE(loader.LoadIfThere("/a").ok());
  const std::vector<OptionFileEntry> entries = loader.TakeEntries();
  ASSERT_THAT(entries, SizeIs(2));
  EXPECT_EQ(entries[0].file, "/b");
  EXPECT_EQ(entries[1].file, "/a");
}

TEST_F(OptionFileLoaderTest, AMissingFileIsNoProblemUnlessItIsRequired) {
  EXPECT_THAT(Names("/none"), IsEmpty());
  EXPECT_THAT(warnings_, IsEmpty());
  EXPECT_EQ(Required("/none"),
            "error: --defaults-file: cannot read the option file /none: No such file or directory");
}

TEST_F(OptionFileLoaderTest, AFileThatCannotBeReadIsAWarningUnlessItIsRequired) {
  files_.files["/a"] = "[g]\na\n";
  files_.unreadable.insert("/a");
  EXPECT_THAT(Names("/a"), IsEmpty());
  EXPECT_THAT(warnings_, ElementsAre("option file is passed over: /a: Permission denied"));
  EXPECT_EQ(Required("/a"),
            "error: --defaults-file: cannot read the option file /a: Permission denied");
}

TEST_F(OptionFileLoaderTest, ADirectoryIsNoFile) {
  files_.directories.insert("/d");
  EXPECT_THAT(Names("/d"), IsEmpty());
  EXPECT_THAT(warnings_, ElementsAre("option file is passed over: /d: Is a directory"));
  EXPECT_EQ(Required("/d"),
            "error: --defaults-file: cannot read the option file /d: Is a directory");
}

TEST_F(OptionFileLoaderTest, AFileThatEverybodyMayWriteIsPassedOverEvenIfRequired) {
  files_.files["/a"] = "[g]\na\n";
  files_.writable_by_all.insert("/a");
  const std::string warning =
      "option file /a is passed over: everybody may write to it (chmod o-w)";
  EXPECT_THAT(Names("/a"), IsEmpty());
  EXPECT_THAT(warnings_, ElementsAre(warning));
  EXPECT_EQ(Required("/a"), "ok");
  EXPECT_THAT(warnings_, ElementsAre(warning, warning));
  EXPECT_THAT(files_.read(), IsEmpty());
}

// --defaults-file=<(decrypt my.cnf.gpg)
TEST_F(OptionFileLoaderTest, APipeIsReadWhateverItsMode) {
  files_.files["/dev/fd/63"] = "[g]\na\n";
  files_.pipes.insert("/dev/fd/63");
  files_.writable_by_all.insert("/dev/fd/63");
  EXPECT_THAT(Names("/dev/fd/63"), ElementsAre("a"));
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(OptionFileLoaderTest, AnErrorInAFileIsAnErrorThoughTheFileIsNotRequired) {
  files_.files["/a"] = "user=x\n";
  EXPECT_THAT(Names("/a"), ElementsAre("error: /a:1: an option without a group; put a line such as "
                                       "[client] above it"));
}

TEST_F(OptionFileLoaderTest, AnIncludedFileStandsInThePlaceOfTheDirectiveWithGroupsOfItsOwn) {
  files_.files["/a"] = "[g]\na1\n!include /b\na2\n";
  files_.files["/b"] = "[h]\nb\n";
  OptionFileLoader loader = MakeLoader();
  ASSERT_TRUE(loader.LoadIfThere("/a").ok());
  const std::vector<OptionFileEntry> entries = loader.TakeEntries();
  ASSERT_THAT(entries, SizeIs(3));
  EXPECT_EQ(entries[1].name, "b");
  EXPECT_EQ(entries[1].group, "h");
  EXPECT_EQ(entries[1].file, "/b");
  EXPECT_EQ(entries[2].name, "a2");
  EXPECT_EQ(entries[2].group, "g");
}

TEST_F(OptionFileLoaderTest, AnIncludedFileNeedsAGroupOfItsOwn) {
  files_.files["/a"] = "[g]\n!include /b\n";
  files_.files["/b"] = "b\n";
  EXPECT_THAT(Names("/a"), ElementsAre("error: /b:1: an option without a group; put a line such as "
                                       "[client] above it"));
}

TEST_F(OptionFileLoaderTest, ARelativeNameIsLeftToTheWorkingDirectory) {
  files_.files["/etc/a"] = "!include b\n";
  files_.files["b"] = "[g]\nb\n";
  EXPECT_THAT(Names("/etc/a"), ElementsAre("b"));
}

TEST_F(OptionFileLoaderTest, ATildeIsTheHomeDirectory) {
  files_.files["/home/alice/.my.cnf"] = "[g]\na\n!include ~/b\n!includedir ~/d\n";
  files_.files["/home/alice/b"] = "[g]\nb\n";
  files_.directories.insert("/home/alice/d");
  files_.files["/home/alice/d/c.cnf"] = "[g]\nc\n";
  EXPECT_THAT(Names("~/.my.cnf"), ElementsAre("a", "b", "c"));
  EXPECT_EQ(Required("~/b"), "ok");
}

TEST_F(OptionFileLoaderTest, WithoutAHomeDirectoryATildeIsOne) {
  OptionFileLoader loader(access_, "", &warnings_);
  EXPECT_EQ(Failure(loader.LoadRequired("~/b", "--defaults-file")),
            "error: --defaults-file: cannot read the option file ~/b: No such file or directory");
}

TEST_F(OptionFileLoaderTest, AMissingIncludedFileIsAWarning) {
  files_.files["/a"] = "[g]\na1\n!include /none\na2\n";
  EXPECT_THAT(Names("/a"), ElementsAre("a1", "a2"));
  EXPECT_THAT(warnings_,
              ElementsAre("/a:3: included file is passed over: /none: No such file or directory"));
}

TEST_F(OptionFileLoaderTest, OfADirectoryTheNamesEndingInCnfAreReadInTheOrderOfTheirBytes) {
  files_.files["/a"] = "!includedir /d\n";
  files_.directories.insert("/d");
  for (const std::string name :
       {"a.cnf", "B.cnf", "10.cnf", "9.cnf", "_.cnf", ".h.cnf", ".cnf", "\xC3\xA4.cnf", "x.cnf.bak",
        "x.ini", "x.CNF", "xcnf", "y.cnf.cnf"}) {
    files_.files[absl::StrCat("/d/", name)] = absl::StrCat("[g]\n", name, "\n");
  }
  EXPECT_THAT(Names("/a"), ElementsAre(".cnf", ".h.cnf", "10.cnf", "9.cnf", "B.cnf", "_.cnf",
                                       "a.cnf", "y.cnf.cnf", "\xC3\xA4.cnf"));
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(OptionFileLoaderTest, ADirectoryMayEndWithASlash) {
  files_.files["/a"] = "!includedir /d/\n";
  files_.directories.insert("/d");
  files_.files["/d/b.cnf"] = "[g]\nb\n";
  EXPECT_THAT(Names("/a"), ElementsAre("b"));
  EXPECT_THAT(files_.read(), ElementsAre("/a", "/d/b.cnf"));
}

TEST_F(OptionFileLoaderTest, WhatCannotBeReadInADirectoryIsAWarning) {
  files_.files["/a"] = "!includedir /d\n";
  files_.directories = {"/d", "/d/sub.cnf"};
  files_.files["/d/b.cnf"] = "[g]\nb\n";
  files_.unreadable.insert("/d/b.cnf");
  files_.files["/d/w.cnf"] = "[g]\nw\n";
  files_.writable_by_all.insert("/d/w.cnf");
  EXPECT_THAT(Names("/a"), IsEmpty());
  EXPECT_THAT(
      warnings_,
      ElementsAre("/a:1: included file is passed over: /d/b.cnf: Permission denied",
                  "/a:1: included file is passed over: /d/sub.cnf: Is a directory",
                  "option file /d/w.cnf is passed over: everybody may write to it (chmod o-w)"));
}

TEST_F(OptionFileLoaderTest, AMissingDirectoryIsAnError) {
  files_.files["/a"] = "[g]\n!includedir /none\n";
  EXPECT_THAT(Names("/a"), ElementsAre("error: /a:2: cannot read the included directory /none: No "
                                       "such file or directory"));
}

TEST_F(OptionFileLoaderTest, IncludesNestTenDeep) {
  files_.files["/a"] = "[g]\nbefore\n!include /a\nafter\n";
  EXPECT_THAT(Names("/a"), SizeIs(22));
  EXPECT_THAT(files_.read(), SizeIs(11));
  EXPECT_THAT(warnings_,
              ElementsAre("/a:3: include is passed over: it would be more than 10 deep"));
}

TEST_F(OptionFileLoaderTest, DirectoriesNestTenDeep) {
  files_.directories.insert("/d");
  files_.files["/d/a.cnf"] = "!includedir /d\n";
  EXPECT_THAT(Names("/d/a.cnf"), IsEmpty());
  EXPECT_THAT(files_.read(), SizeIs(11));
  EXPECT_THAT(warnings_,
              ElementsAre("/d/a.cnf:1: include is passed over: it would be more than 10 deep"));
}

TEST_F(OptionFileLoaderTest, FilesThatMultiplyEachOtherAreAnError) {
  files_.files["/a"] = "!include /a\n!include /a\n!include /a\n";
  EXPECT_THAT(Names("/a"), ElementsAre("error: /a: more than 1000 option files; do they include "
                                       "each other?"));
  EXPECT_THAT(files_.read(), Each("/a"));
}

}  // namespace
}  // namespace dslap
