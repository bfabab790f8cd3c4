// argv as a process gets it: writable, null-terminated, each argument in memory of exactly its
// size, so that the sanitizers see a step beyond it.
#ifndef DSLAP_TESTS_CONTROLLER_CLI_ARGV_BUFFER_H_
#define DSLAP_TESTS_CONTROLLER_CLI_ARGV_BUFFER_H_

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"

namespace dslap {

class ArgvBuffer {
 public:
  explicit ArgvBuffer(const std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments) {
      auto copy = std::make_unique<char[]>(argument.size() + 1);
      std::memcpy(copy.get(), argument.c_str(), argument.size() + 1);
      pointers_.push_back(copy.get());
      sizes_.push_back(argument.size());
      copies_.push_back(std::move(copy));
    }
    pointers_.push_back(nullptr);
  }

  int argc() const { return static_cast<int>(copies_.size()); }
  char** argv() { return pointers_.data(); }
  absl::Span<char* const> span() const { return {pointers_.data(), copies_.size()}; }

  // All bytes that argument number `i` occupies, without its last null.
  std::string Memory(size_t i) const { return {pointers_[i], sizes_[i]}; }

 private:
  std::vector<std::unique_ptr<char[]>> copies_;
  std::vector<size_t> sizes_;
  std::vector<char*> pointers_;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_CONTROLLER_CLI_ARGV_BUFFER_H_
