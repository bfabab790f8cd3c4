#include "tests/fuzz/message_stream.h"

#include <algorithm>
#include <utility>

#include "dslap/v1/agent.pb.h"
#include "tests/fakes/run_requests.h"

namespace dslap {
namespace {

constexpr size_t kMaxSteps = 40;
constexpr size_t kMaxMessageBytes = 4096;

v1::RunRequest ScriptWithWill(uint64_t number) {
  v1::RunRequest request = ScriptRequestOf(number, {"CREATE SCHEMA x"});
  v1::LastWill& will = *request.mutable_run_script()->mutable_last_will();
  will.set_only_if("SELECT 1");
  will.add_statements("DROP SCHEMA x");
  will.set_statement_timeout_ns(1'000'000'000);
  will.set_what("drop schema `x`");
  return request;
}

v1::RunRequest Typical(std::mt19937* random) {
  const uint64_t number = (*random)() % 4;
  switch ((*random)() % 11) {
    case 0:
      return OpenRequest("r1");
    case 1:
      return ChunkRequest({"SELECT 1", "SELECT 2"}, number != 1, number != 2);
    case 2:
      return ScriptRequestOf(number, {"SELECT 1"});
    case 3:
      return ScriptWithWill(number);
    case 4:
    case 5:
      return PrepareRequest(number, (*random)() % 5, (*random)() % 5);
    case 6:
    case 7:
      return StartRequest(number);
    case 8:
      return StopRequest(number);
    case 9:
      return (*random)() % 2 == 0 ? HeartbeatRequest(number) : StopScriptRequest(number);
    default:
      return CloseRequest();
  }
}

uint8_t AnyByte(std::mt19937* random) { return static_cast<uint8_t>((*random)() % 256); }

void InsertTypical(std::mt19937* random, std::vector<MessageStep>* steps) {
  const size_t at = (*random)() % (steps->size() + 1);
  steps->insert(steps->begin() + static_cast<std::ptrdiff_t>(at),
                MessageStep{AnyByte(random), Typical(random).SerializeAsString()});
}

}  // namespace

std::vector<MessageStep> ParseSteps(const uint8_t* data, size_t size) {
  std::vector<MessageStep> steps;
  size_t at = 0;
  while (at + 3 <= size && steps.size() < kMaxSteps) {
    const size_t length = data[at + 1] * size_t{256} + data[at + 2];
    if (length > kMaxMessageBytes || at + 3 + length > size) break;
    steps.push_back({data[at], std::string(reinterpret_cast<const char*>(data) + at + 3, length)});
    at += 3 + length;
  }
  return steps;
}

std::string SerializeSteps(const std::vector<MessageStep>& steps) {
  std::string bytes;
  for (const MessageStep& step : steps) {
    bytes += static_cast<char>(step.what);
    bytes += static_cast<char>(step.message.size() / 256);
    bytes += static_cast<char>(step.message.size() % 256);
    bytes += step.message;
  }
  return bytes;
}

void MutateSteps(std::mt19937* random, MutateBytes mutate_bytes, std::vector<MessageStep>* steps) {
  if (steps->empty() || (steps->size() < kMaxSteps && (*random)() % 2 == 0)) {
    InsertTypical(random, steps);
    return;
  }
  const size_t chosen = (*random)() % steps->size();
  MessageStep& step = (*steps)[chosen];
  switch ((*random)() % 6) {
    case 0:
      step.what = AnyByte(random);
      break;
    case 1:
      steps->erase(steps->begin() + static_cast<std::ptrdiff_t>(chosen));
      break;
    case 2:
      std::swap(step, (*steps)[(*random)() % steps->size()]);
      break;
    default:
      mutate_bytes(&step.message);
      step.message.resize(std::min(step.message.size(), kMaxMessageBytes));
  }
}

}  // namespace dslap
