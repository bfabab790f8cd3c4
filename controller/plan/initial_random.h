// The sequence that the C library's random() gives in a program that never seeds it, as an object:
// no global state is read or changed. Generated SQL equals mysqlslap's because of it.
//
//   InitialRandom random;
//   random.Next();  // 1804289383
#ifndef DSLAP_CONTROLLER_PLAN_INITIAL_RANDOM_H_
#define DSLAP_CONTROLLER_PLAN_INITIAL_RANDOM_H_

#include <array>
#include <cstdint>
#include <cstdlib>

namespace dslap {

// Not thread-safe, and not to be copied: the generator points into its own state.
class InitialRandom {
 public:
  InitialRandom() {
    // Cannot fail: the size is one that initstate_r() knows.
    initstate_r(kInitialSeed, state_.data(), state_.size(), &generator_);
  }
  InitialRandom(const InitialRandom&) = delete;
  InitialRandom& operator=(const InitialRandom&) = delete;

  // From 0 to 2^31 - 1.
  uint32_t Next() {
    int32_t value = 0;
    random_r(&generator_, &value);
    return static_cast<uint32_t>(value);
  }

 private:
  static constexpr unsigned kInitialSeed = 1;
  // 128 bytes of state choose the algorithm that random() itself begins with.
  std::array<char, 128> state_{};
  random_data generator_{};
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_PLAN_INITIAL_RANDOM_H_
