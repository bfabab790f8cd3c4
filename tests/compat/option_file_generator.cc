#include "tests/compat/option_file_generator.h"

#include <cstddef>
#include <initializer_list>
#include <random>

#include "absl/strings/str_cat.h"

namespace dslap {
namespace {

class Generator {
 public:
  Generator(uint32_t seed, const std::string& directory) : random_(seed), directory_(directory) {}

  GeneratedOptionFiles Generate() {
    GeneratedOptionFiles files;
    // What a file includes never includes it: how deep a circle goes has a test of its own.
    files["main.cnf"] = Content({"b.cnf", "c.cnf", "none.cnf", "~/h.cnf"}, {"d", "d/"});
    if (!OneIn(8)) files["b.cnf"] = Content({"c.cnf", "d/skip.txt", "home/h.cnf"}, {"home"});
    for (const char* const name : {"c.cnf", "d/x.cnf", "d/10.cnf", "d/9.cnf", "d/A.cnf",
                                   "d/skip.txt", "d/.hidden.cnf", "home/h.cnf"}) {
      if (!OneIn(4)) files[name] = Content({}, {});
    }
    return files;
  }

 private:
  bool OneIn(uint32_t n) { return random_() % n == 0; }
  size_t Below(size_t n) { return random_() % n; }

  using Choices = std::initializer_list<const char*>;

  std::string Pick(Choices choices) { return *(choices.begin() + Below(choices.size())); }

  std::string Blanks() { return OneIn(3) ? Pick({" ", "\t", "  ", " \t ", "\v", "\f"}) : ""; }

  std::string Content(Choices files, Choices directories) {
    std::string content = OneIn(50) ? "" : absl::StrCat(Group(), LineEnd());
    for (size_t lines = Below(12); lines > 0; --lines) {
      const bool include = files.size() > 0 && OneIn(8);
      absl::StrAppend(&content, include ? Include(files, directories) : Line(), LineEnd());
    }
    // A directive needs a newline after it (AnIncludeOnTheLastLineNeedsNoNewline).
    absl::StrAppend(&content, OneIn(2) ? "last=1" : Comment());
    return content;
  }

  std::string LineEnd() { return OneIn(5) ? "\r\n" : "\n"; }

  std::string Line() {
    switch (Below(12)) {
      case 0:
      case 1:
        return absl::StrCat(Blanks(), Group());
      case 2:
        return Blanks();
      case 3:
        return Comment();
      case 4:
        return Directive();
      default:
        return Option();
    }
  }

  std::string Comment() {
    return absl::StrCat(Blanks(), Pick({"#", ";", "# [g", ";x=1"}), Blanks());
  }

  std::string Group() {
    if (OneIn(200)) return "[g";
    return Pick({"[g]",     "[g]",       "[g]",       "[mysqlslap]", "[mysqlslap]", "[client_x]",
                 "[other]", "[client]",  "[G]",       "[MySQLslap]", "[g ]",        "[ g]",
                 "[g\t]",   "[g] # c",   "[g]x",      "[g]]",        "[]",          "[ ]",
                 "[g # x]", "[g,other]", "[other,g]", "[gg]",        "[\"g\"]"});
  }

  std::string Directive() {
    if (OneIn(30)) return Pick({"!include", "!includedir", "!include ", "!includedir  \t"});
    if (OneIn(30)) return "!includedir none";
    return Pick({"!unknown", "! includefoo b.cnf", "!INCLUDE b.cnf", "!includedirs d", "!"});
  }

  std::string Include(Choices files, Choices directories) {
    const bool directory = OneIn(3);
    const std::string path = Pick(directory ? directories : files);
    const bool whole = path[0] != '~' && OneIn(2);
    return absl::StrCat(Blanks(), "!", Blanks(), directory ? "includedir" : "include",
                        Pick({" ", "\t", "  "}), whole ? absl::StrCat(directory_, "/") : "", path,
                        Blanks());
  }

  std::string Name() {
    // Not empty, no '=', and none of the bytes that make the line something else in front.
    std::string name = Pick({"a", "user", "x-y", "x_y", "--z", "-c", "A", "\"", "'", "\\", "]"});
    for (size_t more = Below(3); more > 0; --more) {
      name += Pick({"b", "-", "_", " ", "\t", "\"", "'", "\\", "#", ";", "!", "[", "]", ".", "1"});
    }
    return name;
  }

  std::string Value() {
    std::string value;
    for (size_t pieces = Below(8); pieces > 0; --pieces) {
      value +=
          Pick({"a",    "bc",  "1",   " ",   "\t",  "\"",       "\"",           "'",   "'",   "\\",
                "\\\\", "\\n", "\\t", "\\r", "\\b", "\\s",      "\\\"",         "\\'", "\\q", "#",
                " # ",  ";",   "=",   "[g]", "!",   "\xC3\xA4", "\xE2\x82\xAC", "%",   ","});
    }
    if (OneIn(3)) {
      const std::string quote = Pick({"\"", "'"});
      value = absl::StrCat(quote, value, quote);
    }
    return value;
  }

  std::string Option() {
    std::string option = absl::StrCat(Blanks(), Name(), Blanks());
    if (!OneIn(4)) absl::StrAppend(&option, "=", Blanks(), Value());
    absl::StrAppend(&option, Blanks(), OneIn(5) ? "# comment" : "", Blanks());
    return option;
  }

  std::mt19937 random_;
  const std::string& directory_;
};

}  // namespace

GeneratedOptionFiles GenerateOptionFiles(uint32_t seed, const std::string& directory) {
  return Generator(seed, directory).Generate();
}

}  // namespace dslap
