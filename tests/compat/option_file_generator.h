// Trees of option files for option_file_compat_test: the same ones for the same seed.
#ifndef DSLAP_TESTS_COMPAT_OPTION_FILE_GENERATOR_H_
#define DSLAP_TESTS_COMPAT_OPTION_FILE_GENERATOR_H_

#include <cstdint>
#include <map>
#include <string>

namespace dslap {

// Name -> content. There is always a "main.cnf".
using GeneratedOptionFiles = std::map<std::string, std::string>;

// `directory`: where the files are going to be, for includes that name the whole path.
GeneratedOptionFiles GenerateOptionFiles(uint32_t seed, const std::string& directory);

}  // namespace dslap

#endif  // DSLAP_TESTS_COMPAT_OPTION_FILE_GENERATOR_H_
