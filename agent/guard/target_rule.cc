#include "agent/guard/target_rule.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/status_util.h"

namespace dslap {
namespace {

constexpr uint32_t kLastPort = 65535;
constexpr unsigned kIpv4Bits = 32;
constexpr unsigned kIpv6Bits = 128;
// Up to the IPv4 address in "::ffff:10.0.0.7".
constexpr std::array<uint8_t, 12> kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

absl::Status Malformed(absl::string_view rule, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("'", absl::Utf8SafeCEscape(rule), "': ", why));
}

bool ParsePort(absl::string_view text, uint32_t* port) {
  return !text.empty() && text.find_first_not_of("0123456789") == absl::string_view::npos &&
         absl::SimpleAtoi(text, port) && *port >= 1 && *port <= kLastPort;
}

bool ParsePorts(absl::string_view text, TargetRule* rule) {
  if (text == "*") {
    rule->first_port = 1;
    rule->last_port = kLastPort;
    return true;
  }
  const size_t dash = text.find('-');
  if (!ParsePort(text.substr(0, dash), &rule->first_port)) return false;
  if (dash == absl::string_view::npos) {
    rule->last_port = rule->first_port;
    return true;
  }
  return ParsePort(text.substr(dash + 1), &rule->last_port) && rule->first_port <= rule->last_port;
}

// Whether all bits behind the first `bits` are zero.
bool EndsAfter(const IpAddress& address, unsigned bits) {
  for (unsigned i = bits; i < kIpv6Bits; ++i) {
    if ((address.bytes[i / 8] >> (7 - i % 8) & 1) != 0) return false;
  }
  return true;
}

bool IsHostName(absl::string_view text) {
  const auto fits = [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.' || c == '_';
  };
  // What ends in a number is a misspelt address.
  const absl::string_view last = text.substr(text.rfind('.') + 1);
  return !text.empty() && std::all_of(text.begin(), text.end(), fits) &&
         last.find_first_not_of("0123456789") != absl::string_view::npos;
}

absl::Status ParseSocket(absl::string_view rule, absl::string_view path, TargetRule* parsed) {
  parsed->kind = TargetRule::Kind::kSocket;
  parsed->name = absl::StrCat(path);
  if (path == "*" || absl::StartsWith(path, "/")) return absl::OkStatus();
  return Malformed(rule, "behind 'unix:' give the socket's path from / on, or *");
}

absl::Status ParseBits(absl::string_view rule, absl::string_view text, TargetRule* parsed) {
  const unsigned most = parsed->network.is_ipv4 ? kIpv4Bits : kIpv6Bits;
  if (text.empty() || text.find_first_not_of("0123456789") != absl::string_view::npos ||
      !absl::SimpleAtoi(text, &parsed->bits) || parsed->bits > most) {
    return Malformed(rule, absl::StrCat("behind the slash give the number of bits, 0 to ", most));
  }
  if (EndsAfter(parsed->network, parsed->bits)) return absl::OkStatus();
  return Malformed(rule, absl::StrCat("the address goes on behind its first ", parsed->bits,
                                      " bits: put zeros there, or give one address without /"));
}

absl::Status ParseHost(absl::string_view rule, absl::string_view host, TargetRule* parsed) {
  if (host == "*") {
    parsed->kind = TargetRule::Kind::kAnyHost;
    return absl::OkStatus();
  }
  const size_t slash = host.find('/');
  absl::string_view address = host.substr(0, slash);
  const bool brackets = absl::ConsumePrefix(&address, "[");
  if (brackets && !absl::ConsumeSuffix(&address, "]")) {
    return Malformed(rule, "write an IPv6 network as [fd00::]/8:3306");
  }
  const std::optional<IpAddress> ip = ParseIpAddress(address);
  if (ip.has_value() && (brackets || absl::StrContains(address, '.'))) {
    parsed->network = *ip;
    parsed->bits = ip->is_ipv4 ? kIpv4Bits : kIpv6Bits;
    if (slash == absl::string_view::npos) return absl::OkStatus();
    return ParseBits(rule, host.substr(slash + 1), parsed);
  }
  if (brackets || slash != absl::string_view::npos || !IsHostName(host)) {
    return Malformed(rule,
                     "that is no host: give an address or a network (10.0.0.0/8:3306, "
                     "[fd00::]/8:3306), a name, or *");
  }
  parsed->kind = TargetRule::Kind::kName;
  parsed->name = absl::AsciiStrToLower(host);
  return absl::OkStatus();
}

}  // namespace

std::optional<IpAddress> ParseIpAddress(absl::string_view text) {
  const std::string numeric(text.substr(0, text.find('%')));
  IpAddress address;
  if (inet_pton(AF_INET, numeric.c_str(), address.bytes.data()) == 1) {
    address.is_ipv4 = true;
    return address;
  }
  if (inet_pton(AF_INET6, numeric.c_str(), address.bytes.data()) != 1) return std::nullopt;
  if (std::equal(kMapped.begin(), kMapped.end(), address.bytes.begin())) {
    IpAddress ipv4;
    ipv4.is_ipv4 = true;
    std::copy_n(address.bytes.begin() + kMapped.size(), 4, ipv4.bytes.begin());
    return ipv4;
  }
  return address;
}

bool TargetRule::AllowsSocket(absl::string_view path) const {
  return kind == Kind::kSocket && (name == "*" || name == path);
}

bool TargetRule::AllowsAddress(const IpAddress& address) const {
  if (kind == Kind::kAnyHost) return true;
  if (kind != Kind::kNetwork || address.is_ipv4 != network.is_ipv4) return false;
  for (unsigned i = 0; i < bits; ++i) {
    const unsigned shift = 7 - i % 8;
    if ((address.bytes[i / 8] >> shift & 1) != (network.bytes[i / 8] >> shift & 1)) return false;
  }
  return true;
}

absl::StatusOr<TargetRule> ParseTargetRule(absl::string_view text) {
  TargetRule rule;
  absl::string_view rest = text;
  if (absl::ConsumePrefix(&rest, "unix:")) {
    RETURN_IF_ERROR(ParseSocket(text, rest, &rule));
    return rule;
  }
  const size_t colon = text.rfind(':');
  // In "[fd00::1]" it belongs to the address.
  const size_t bracket = text.rfind(']');
  if (colon == absl::string_view::npos || (bracket != absl::string_view::npos && colon < bracket) ||
      !ParsePorts(text.substr(colon + 1), &rule)) {
    return Malformed(text,
                     "behind the last colon give a port, a range of ports (3306-3310), or * for "
                     "all");
  }
  RETURN_IF_ERROR(ParseHost(text, text.substr(0, colon), &rule));
  return rule;
}

absl::Status CheckTargetRule(absl::string_view text) { return ParseTargetRule(text).status(); }

}  // namespace dslap
