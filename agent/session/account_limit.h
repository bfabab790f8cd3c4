// Whether a connection was refused because its account holds as many as it may: then one of the
// run's own that is idle stands in the way of a client. Pure.
#ifndef DSLAP_AGENT_SESSION_ACCOUNT_LIMIT_H_
#define DSLAP_AGENT_SESSION_ACCOUNT_LIMIT_H_

#include "common/error_tally.h"

namespace dslap {

// Not for limits by the hour, which a closed connection does not help.
bool RefusedByAccountLimit(const SqlError& error);
bool RefusedByAccountLimit(const ErrorTally& errors);  // any of them

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_ACCOUNT_LIMIT_H_
