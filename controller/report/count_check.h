// Compares what the agents counted in a round with what the server counted meanwhile. Pure.
//
//   CountCheck check = CompareCounts(round, run.inexact);
//
// The server must have counted at least what the agents sent and got an answer to. It may have
// counted more: other sessions. Where no other session can have been there, it must be exactly
// theirs, up to what had no answer.
#ifndef DSLAP_CONTROLLER_REPORT_COUNT_CHECK_H_
#define DSLAP_CONTROLLER_REPORT_COUNT_CHECK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "controller/coordination/run_record.h"
#include "controller/report/run_report.h"

namespace dslap {

CountCheck CompareCounts(const RoundRecord& round, const std::string& inexact);

// Of a case: the gravest finding of its rounds, and the sums of those that were compared.
CountCheck SumUp(const std::vector<CountCheck>& rounds);

// What the report says of it: "agrees (4000 statements, 54 others, 50 connects)".
std::string DescribeCountCheck(const CountCheck& check);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_COUNT_CHECK_H_
