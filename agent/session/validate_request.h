// Whether the arguments of a message make sense, before anything acts on them. Pure.
//
// The order of messages is the state machine's matter (session_state_machine.h); here a message
// that is legal in its state is looked into.
//
//   RETURN_IF_ERROR(ValidateRequest(request, context));
#ifndef DSLAP_AGENT_SESSION_VALIDATE_REQUEST_H_
#define DSLAP_AGENT_SESSION_VALIDATE_REQUEST_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// What earlier messages of the run have established.
struct RequestContext {
  std::optional<uint64_t> last_round;  // prepared last
  uint64_t last_script = 0;            // begun last
  bool list_begun = false;             // a `first` chunk has come, its `last` not yet
  bool list_complete = false;          // the `last` chunk has come
  uint64_t list_statements = 0;
  bool list_takes_keys = false;  // a statement of the list takes a key
};

inline constexpr uint64_t kMinLeaseNs = 1'000'000'000;
inline constexpr uint64_t kMaxLeaseNs = 3'600'000'000'000;
// Connect timeout, grace and patience of stops.
inline constexpr uint64_t kMaxWaitNs = 3'600'000'000'000;
// Of statements and scripts.
inline constexpr uint64_t kMaxTimeoutNs = uint64_t{30} * 24 * 3'600'000'000'000;
inline constexpr uint64_t kMaxWillDelayNs = 60'000'000'000;
inline constexpr uint64_t kMaxWillTimeoutNs = 600'000'000'000;
// Far above what a host can hold; keeps sums and memory within bounds.
inline constexpr uint32_t kMaxEventLoops = 1'024;
inline constexpr uint64_t kMaxClients = 1'000'000;
inline constexpr uint32_t kMaxZstdLevel = 22;
// Bytes of a run's id and of who its controller is.
inline constexpr size_t kLongestName = 512;

// INVALID_ARGUMENT that names field and value, also for a message without a kind. The protocol
// version is not looked at: CheckProtocol() does.
absl::Status ValidateRequest(const v1::RunRequest& request, const RequestContext& context);

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_VALIDATE_REQUEST_H_
