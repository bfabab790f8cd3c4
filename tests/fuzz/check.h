// What a fuzz target asserts. A failed check ends the program in the way that libFuzzer keeps the
// input for.
#ifndef DSLAP_TESTS_FUZZ_CHECK_H_
#define DSLAP_TESTS_FUZZ_CHECK_H_

#include <cstdio>
#include <cstdlib>

// A macro for the text of the condition and its line.
#define DSLAP_FUZZ_CHECK(condition)                                                       \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                       \
    }                                                                                     \
  } while (false)

#endif  // DSLAP_TESTS_FUZZ_CHECK_H_
