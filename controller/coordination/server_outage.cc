#include "controller/coordination/server_outage.h"

namespace dslap {

bool AnswerWasLost(uint32_t code) {
  switch (code) {
    case 1053:  // server shutdown in progress
    case 1927:  // connection was killed
    case 2006:  // server has gone away
    case 2013:  // lost connection during query
    case 2055:  // the same, with the system's error
    case 2999:  // given up (--query-timeout)
    case 3169:  // session was killed
      return true;
    default:
      return false;
  }
}

bool MayBeBackSoon(uint32_t code) {
  switch (code) {
    case 1040:  // too many connections
    case 1158:  // network errors while the server reads or writes the handshake
    case 1159:
    case 1160:
    case 1161:
    case 1203:  // the account has too many connections
    case 1226:
    case 2002:  // cannot connect
    case 2003:
      return true;
    default:
      return code != 2999 && AnswerWasLost(code);
  }
}

}  // namespace dslap
