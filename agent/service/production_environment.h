// What sessions work with outside tests: connections over the client library, a thread for each
// client.
#ifndef DSLAP_AGENT_SERVICE_PRODUCTION_ENVIRONMENT_H_
#define DSLAP_AGENT_SERVICE_PRODUCTION_ENVIRONMENT_H_

#include "agent/session/session_environment.h"

namespace dslap {

// Sets every part that is still empty.
void FillInProduction(SessionEnvironment* environment);

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_PRODUCTION_ENVIRONMENT_H_
