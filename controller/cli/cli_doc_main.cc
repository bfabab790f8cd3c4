// dslap_cli_doc PAGE: writes the generated part of docs/cli.md anew. Run it after a change of the
// option table; a test fails until then.
#include <fstream>
#include <iostream>

#include "common/status_util.h"
#include "controller/cli/option_markdown.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: dslap_cli_doc docs/cli.md\n";
    return 2;
  }
  const absl::StatusOr<std::string> page = dslap::ReadFile(argv[1]);
  const absl::StatusOr<std::string> renewed =
      page.ok() ? dslap::ReplaceGeneratedPart(*page) : page.status();
  if (!renewed.ok()) {
    std::cerr << "dslap_cli_doc: " << renewed.status().message() << "\n";
    return 1;
  }
  std::ofstream out(argv[1], std::ios::binary | std::ios::trunc);
  out << *renewed << std::flush;
  if (!out) {
    std::cerr << "dslap_cli_doc: " << argv[1] << ": cannot be written\n";
    return 1;
  }
  return 0;
}
