// The input of session_messages_fuzz: a list of steps. Each is a byte that says what happens beside
// the message, two of the message's length, and a serialized RunRequest, which need not parse.
#ifndef DSLAP_TESTS_FUZZ_MESSAGE_STREAM_H_
#define DSLAP_TESTS_FUZZ_MESSAGE_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace dslap {

struct MessageStep {
  uint8_t what = 0;
  std::string message;
};

// What is cut off or too long is left out: any bytes are a list.
std::vector<MessageStep> ParseSteps(const uint8_t* data, size_t size);
std::string SerializeSteps(const std::vector<MessageStep>& steps);

// Changes the list a little. So that runs get far, most changes insert a message as controllers
// send it; `mutate_bytes` changes the bytes of one in place, and may lengthen it.
using MutateBytes = void (*)(std::string* bytes);
void MutateSteps(std::mt19937* random, MutateBytes mutate_bytes, std::vector<MessageStep>* steps);

}  // namespace dslap

#endif  // DSLAP_TESTS_FUZZ_MESSAGE_STREAM_H_
