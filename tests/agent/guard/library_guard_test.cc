#include "agent/guard/library_guard.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

const LibraryGuard* Guard() {
  static const LibraryGuard* const guard =
      new LibraryGuard({"/usr/lib/plugin", "/srv/charsets"}, "--allow-library-dir=DIRS");
  return guard;
}

absl::Status DoesNotName(const std::string& shown) {
  return absl::PermissionDeniedError(
      absl::StrCat("refuses ", shown,
                   ": --allow-library-dir=DIRS does not name it, letter by "
                   "letter"));
}

TEST(LibraryGuardTest, AllowsWhatIsNamedAndNothing) {
  SqlTarget target;
  EXPECT_EQ(Guard()->Admit(target), absl::OkStatus());
  target.default_auth = "mysql_native_password";
  target.plugin_dir = "/usr/lib/plugin";
  target.character_sets_dir = "/srv/charsets";
  EXPECT_EQ(Guard()->Admit(target), absl::OkStatus());
}

TEST(LibraryGuardTest, AnotherWayToWriteADirectoryIsAnotherDirectory) {
  for (const std::string path :
       {"/tmp", "/usr/lib/plugin/", "/usr/lib/plugin/../../../tmp", "/usr/lib//plugin", "plugin",
        "/usr/lib", "/usr/lib/plugin/sub", "/USR/lib/plugin", "*"}) {
    SqlTarget target;
    target.plugin_dir = path;
    EXPECT_EQ(Guard()->Admit(target), DoesNotName("--plugin-dir=" + path));
    target = SqlTarget();
    target.character_sets_dir = path;
    EXPECT_EQ(Guard()->Admit(target), DoesNotName("--character-sets-dir=" + path));
  }
}

TEST(LibraryGuardTest, WithoutARuleNoDirectoryIsAllowed) {
  SqlTarget target;
  const LibraryGuard guard({}, "--allow-library-dir=");
  EXPECT_EQ(guard.Admit(target), absl::OkStatus());
  target.character_sets_dir = "/a\nb";
  EXPECT_EQ(guard.Admit(target),
            absl::PermissionDeniedError(
                "refuses --character-sets-dir=/a\\nb: it is read by the agent itself, whose owner "
                "allows such directories with --allow-library-dir=DIR"));
}

// The library puts the directory before it, and ".so" behind it.
TEST(LibraryGuardTest, NameOfAPluginLeadsToNoOtherDirectory) {
  for (const std::string name : {"../../../tmp/evil", "/tmp/evil", "a/b", "..", "a.b", "a,b"}) {
    SqlTarget target;
    target.default_auth = name;
    EXPECT_EQ(Guard()->Admit(target),
              absl::PermissionDeniedError(
                  absl::StrCat("refuses --default-auth=", name,
                               ": give the name of a plugin, of letters, digits, _ and -")));
  }
}

TEST(LibraryGuardTest, DirectoriesOfTheOwnerAreAbsolute) {
  EXPECT_EQ(CheckLibraryDirectory("/usr/lib/plugin"), absl::OkStatus());
  for (const std::string path : {"", "plugin", "../x"}) {
    EXPECT_EQ(CheckLibraryDirectory(path),
              absl::InvalidArgumentError(
                  absl::StrCat("'", path, "': give the directory's path from / on")));
  }
}

}  // namespace
}  // namespace dslap
