// Command lines for the comparison of --only-print: generated from a fixed seed, the same on every
// machine. All have one client, whose order of statements is certain. They keep clear of what
// only_print_differences.h lists.
#ifndef DSLAP_TESTS_COMPAT_ONLY_PRINT_COMBINATIONS_H_
#define DSLAP_TESTS_COMPAT_ONLY_PRINT_COMBINATIONS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "controller/options.h"

namespace dslap {

std::vector<std::vector<std::string>> OnlyPrintCombinations(Compat compat, size_t count);

}  // namespace dslap

#endif  // DSLAP_TESTS_COMPAT_ONLY_PRINT_COMBINATIONS_H_
