// One rule of --allow-target: which databases an agent may be pointed at. Pure.
//
//   10.0.0.0/8:3306          a network of IPv4 addresses, one port
//   [fd00::]/8:3306-3310     a network of IPv6 addresses, a range of ports
//   10.0.0.7:*               one address, any port
//   db.example:3306          the addresses that a name stands for when a run begins
//   *:3306                   any host
//   unix:/run/mysqld.sock    one Unix socket; unix:* is any
#ifndef DSLAP_AGENT_GUARD_TARGET_RULE_H_
#define DSLAP_AGENT_GUARD_TARGET_RULE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dslap {

// An IPv4 address that is written as an IPv6 one (::ffff:10.0.0.7) is an IPv4 address.
struct IpAddress {
  bool is_ipv4 = false;
  std::array<uint8_t, 16> bytes = {};  // of an IPv4 address the first four

  friend bool operator==(const IpAddress&, const IpAddress&) = default;
};

// A numeric address, without brackets; a scope behind a % counts for nothing. nullopt: it is none.
std::optional<IpAddress> ParseIpAddress(absl::string_view text);

struct TargetRule {
  enum class Kind { kNetwork, kName, kAnyHost, kSocket };
  Kind kind = Kind::kNetwork;
  IpAddress network;  // kNetwork
  unsigned bits = 0;  // of `network`, those that count
  std::string name;   // kName: the host; kSocket: the path, or "*"
  uint32_t first_port = 0;
  uint32_t last_port = 0;

  bool AllowsPort(uint32_t port) const { return port >= first_port && port <= last_port; }
  bool AllowsSocket(absl::string_view path) const;
  // kNetwork and kAnyHost; of a kName, who resolved it knows.
  bool AllowsAddress(const IpAddress& address) const;
};

// INVALID_ARGUMENT saying what is wrong and how to mend it.
absl::StatusOr<TargetRule> ParseTargetRule(absl::string_view text);

// The same, for who wants only to know whether it is one.
absl::Status CheckTargetRule(absl::string_view text);

}  // namespace dslap

#endif  // DSLAP_AGENT_GUARD_TARGET_RULE_H_
