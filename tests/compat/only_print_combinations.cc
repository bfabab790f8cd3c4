#include "tests/compat/only_print_combinations.h"

#include <cstdint>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"

namespace dslap {
namespace {

using Arguments = std::vector<std::string>;

// Texts with DELIM for the delimiter, as people write them.
const char* const kScripts[] = {
    "select 1",
    "  select 1  ",
    "select 1DELIM",
    "select 1DELIMselect 2",
    "select 1DELIM select 2 DELIM",
    "select 1DELIM\tselect 2DELIM  select 3",
    "insert into a values (1, 'one')DELIMselect b from a where b = \"x\"DELIMdelete from a",
    "select `b` -- one\nDELIMselect 2",
    "select /*+ NO_ICP(a) */ 1DELIM/*!40101 select 2 */DELIM select 3 # three",
    "select 'it''s'DELIMselect 'a\\'b'DELIM select 'Z\xC3\xBCrich'DELIM",
};
// Not for the line end as the delimiter: a line is a statement there.
const char* const kScriptsOverLines[] = {
    "select\n  1DELIM\nselect 2DELIM\n",
    "select 1DELIM\n\n\nselect\n\n2\n",
    "-- the first\nselect 1DELIM\n# the second\nselect 2\n",
    "select 1DELIM\n  select 2DELIM\n\tselect 3",
};
const char* const kCreates[] = {
    "create table a (b int)",
    "create table a (b int)DELIMinsert into a values (23)",
    "create table a (b int)DELIM insert into a values (1)DELIM create table c (d int)",
    "DELIM",
    "",
};

class Generator {
 public:
  Generator(Compat compat, uint64_t seed) : compat_(compat), random_(seed) {}

  Arguments Next() {
    arguments_.clear();
    if (Chance(60)) {
      AddGenerated();
    } else {
      AddUserSql();
    }
    AddCommon();
    return arguments_;
  }

 private:
  // From 0 to `end` - 1. The library's distributions differ from one to the other.
  uint64_t Below(uint64_t end) { return random_() % end; }
  bool Chance(uint64_t percent) { return Below(100) < percent; }
  template <typename T, size_t N>
  const T& OneOf(const T (&values)[N]) {
    return values[Below(N)];
  }
  template <typename... Parts>
  void Add(const Parts&... parts) {
    arguments_.push_back(absl::StrCat(parts...));
  }

  void AddGenerated() {
    Add(Chance(50) ? "-a" : "--auto-generate-sql");
    const bool autoincrement = Chance(30);
    const bool guid = !autoincrement && Chance(40);
    if (autoincrement) Add("--auto-generate-sql-add-autoincrement");
    if (guid) Add("--auto-generate-sql-guid-primary");
    if (Chance(80)) {
      const char* const loads[] = {"mixed", "update", "write", "read", "key"};
      Add("--auto-generate-sql-load-type=", loads[Below(autoincrement || guid ? 5 : 4)]);
    }
    const char* const indexes[] = {"", "", "", ":1", ":1", ":0"};
    const uint64_t ints = Below(4);
    // At least one column: a table without any is not made for running.
    const uint64_t chars = ints == 0 ? 1 + Below(3) : Below(4);
    if (ints != 1 || Chance(50)) Add("--number-int-cols=", ints, OneOf(indexes));
    if (chars != 1 || Chance(50)) Add("-x", chars, OneOf(indexes));
    if (Chance(30)) Add("--auto-generate-sql-secondary-indexes=", Below(4));
    Add("--auto-generate-sql-write-number=", Below(25));
    if (Chance(60)) Add("--auto-generate-sql-unique-write-number=", 1 + Below(12));
    if (Chance(70)) Add("--auto-generate-sql-unique-query-number=", Below(8));
    if (Chance(30)) {
      Add("--auto-generate-sql-execute-number=", 1 + Below(20));
    } else if (Chance(40)) {
      Add("--number-of-queries=", 1 + Below(30));
    }
  }

  std::string Script(const char* text) {
    return absl::StrReplaceAll(text, {{"DELIM", delimiter_}});
  }

  std::string Query() {
    if (delimiter_ != "\n" && Chance(40)) return Script(OneOf(kScriptsOverLines));
    if (delimiter_ != "\n") return Script(OneOf(kScripts));
    // One with a line end of its own would be two statements, one of them a comment.
    std::string query = Script(OneOf(kScripts));
    return absl::StrReplaceAll(query, {{" -- one\n", " -- one"}});
  }

  void AddUserSql() {
    const char* const delimiters[] = {";", ";", ";", "\n", "|", "$"};
    delimiter_ = OneOf(delimiters);
    if (delimiter_ != "\n") {
      Add(Chance(50) ? "-F" : "--delimiter=", delimiter_);
    } else if (Chance(20)) {
      Add("--delimiter=\n");
    }
    Add("--query=", Query());
    if (Chance(60)) Add("--create=", Script(OneOf(kCreates)));
    if (Chance(50)) Add("--number-of-queries=", 1 + Below(12));
  }

  void AddEngines() {
    const char* const names[] = {"innodb", "memory", "myisam", "blackhole"};
    std::vector<std::string> entries(1 + Below(3));
    for (size_t i = 0; i < entries.size(); ++i) {
      entries[i] = OneOf(names);
      // Oracle's program gives such a last entry the first entry's name.
      const bool misnamed = compat_ == Compat::kMySql && i > 0 && i + 1 == entries.size();
      if (!misnamed && Chance(40)) {
        absl::StrAppend(&entries[i], Chance(50) ? ":max_rows=10" : ":comment='x y'");
      }
    }
    Add("--engine=", absl::StrJoin(entries, ","));
  }

  void AddCommon() {
    if (Chance(50)) AddEngines();
    if (Chance(40)) Add("--iterations=", 1 + Below(3));
    const char* const concurrencies[] = {"1", "1,1", "1,1,1"};
    if (Chance(40)) Add("--concurrency=", OneOf(concurrencies));
    if (Chance(40)) Add("--commit=", Below(6));
    if (Chance(30)) Add("--detach=", Below(6));
    const char* const hooks[] = {"set @x = 1", "flush status", "call p()"};
    if (Chance(30)) Add("--pre-query=", OneOf(hooks));
    if (Chance(30)) Add("--post-query=", OneOf(hooks));
    if (Chance(20)) Add("--no-drop");
    const char* const schemas[] = {"bench", "x_1", "Test$2", "order"};
    if (Chance(30)) Add("--create-schema=", OneOf(schemas));
    if (Chance(30)) Add("--silent");
    const char* const verbosities[] = {"-v", "-vv", "-vvv", "--verbose"};
    if (Chance(40)) Add(OneOf(verbosities));
  }

  const Compat compat_;
  std::mt19937_64 random_;
  std::string delimiter_;
  Arguments arguments_;
};

}  // namespace

std::vector<Arguments> OnlyPrintCombinations(Compat compat, size_t count) {
  constexpr uint64_t kSeed = 20050701;
  Generator generator(compat, kSeed);
  std::vector<Arguments> combinations(count);
  for (Arguments& arguments : combinations) arguments = generator.Next();
  return combinations;
}

}  // namespace dslap
