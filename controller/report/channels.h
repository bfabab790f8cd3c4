// How the clients' connections to the database went: from the agents' messages to the line in the
// text.
//
// Pure.
#ifndef DSLAP_CONTROLLER_REPORT_CHANNELS_H_
#define DSLAP_CONTROLLER_REPORT_CHANNELS_H_

#include <string>
#include <vector>

#include "controller/report/run_report.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

std::vector<ChannelReport> ChannelsOf(const v1::RoundReady& ready);

// Adds the clients of `more`; most clients first.
void MergeChannels(const std::vector<ChannelReport>& more, std::vector<ChannelReport>* channels);

// "TLS 1.3 (TLS_AES_256_GCM_SHA384)", "unencrypted" or "Unix socket"; with the numbers of clients
// when there are several: "25 TLS 1.3 (TLS_AES_256_GCM_SHA384), 20 unencrypted". For a terminal.
std::string DescribeChannels(const std::vector<ChannelReport>& channels);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_CHANNELS_H_
