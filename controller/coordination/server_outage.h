// What an error code says about the server behind it. Pure.
#ifndef DSLAP_CONTROLLER_COORDINATION_SERVER_OUTAGE_H_
#define DSLAP_CONTROLLER_COORDINATION_SERVER_OUTAGE_H_

#include <cstdint>

namespace dslap {

// Nobody can say whether the statement was executed: the connection broke, or it was given up.
bool AnswerWasLost(uint32_t code);

// Another attempt may succeed soon: the server is restarting, or has no connection to spare.
bool MayBeBackSoon(uint32_t code);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_SERVER_OUTAGE_H_
