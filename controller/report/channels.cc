#include "controller/report/channels.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "controller/report/terminal_text.h"

namespace dslap {
namespace {

bool SameWay(const ChannelReport& a, const ChannelReport& b) {
  return a.unix_socket == b.unix_socket && a.tls_cipher == b.tls_cipher &&
         a.tls_version == b.tls_version;
}

std::string Describe(const ChannelReport& channel) {
  if (channel.tls_cipher.empty()) return channel.unix_socket ? "Unix socket" : "unencrypted";
  // "TLSv1.3"
  const absl::string_view number = absl::StripPrefix(channel.tls_version, "TLSv");
  return ForTerminal(absl::StrCat(channel.unix_socket ? "Unix socket, " : "", "TLS",
                                  number.empty() ? "" : " ", number, " (", channel.tls_cipher,
                                  ")"));
}

}  // namespace

std::vector<ChannelReport> ChannelsOf(const v1::RoundReady& ready) {
  std::vector<ChannelReport> channels;
  for (const v1::ChannelCount& count : ready.channels()) {
    const v1::Channel& channel = count.channel();
    MergeChannels(
        {{channel.unix_socket(), channel.tls_cipher(), channel.tls_version(), count.clients()}},
        &channels);
  }
  return channels;
}

void MergeChannels(const std::vector<ChannelReport>& more, std::vector<ChannelReport>* channels) {
  for (const ChannelReport& one : more) {
    const auto known = std::find_if(channels->begin(), channels->end(),
                                    [&](const ChannelReport& c) { return SameWay(c, one); });
    if (known == channels->end()) {
      channels->push_back(one);
    } else {
      known->clients += one.clients;
    }
  }
  std::stable_sort(
      channels->begin(), channels->end(),
      [](const ChannelReport& a, const ChannelReport& b) { return a.clients > b.clients; });
}

std::string DescribeChannels(const std::vector<ChannelReport>& channels) {
  if (channels.size() == 1) return Describe(channels.front());
  return absl::StrJoin(channels, ", ", [](std::string* out, const ChannelReport& channel) {
    absl::StrAppend(out, channel.clients, " ", Describe(channel));
  });
}

}  // namespace dslap
