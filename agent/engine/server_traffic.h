// What a round made the server count, beside the statements of the clients: for the comparison with
// the server's own counters (Questions, Connections). Pure.
//
// Questions counts commands: statements, COM_INIT_DB, COM_RESET_CONNECTION, and the good-bye of a
// connection that is closed. A connection that breaks, and one that is refused, say none.
#ifndef DSLAP_AGENT_ENGINE_SERVER_TRAFFIC_H_
#define DSLAP_AGENT_ENGINE_SERVER_TRAFFIC_H_

#include <cstdint>

namespace dslap {

// Not thread-safe. Unclear is what got no answer: the server may have counted it or not.
struct ServerTraffic {
  uint64_t questions = 0;
  uint64_t unclear_questions = 0;  // of `questions`, and of the clients' statements
  uint64_t connections = 0;
  uint64_t unclear_connections = 0;  // of `connections`

  // One without an answer broke its connection; the server may still read the good-bye.
  void NoteQuestion(bool answered) {
    ++questions;
    if (!answered) NoteUnclearStatement();
  }
  // A statement of a client, counted elsewhere.
  void NoteUnclearStatement() {
    ++unclear_questions;
    NoteClose();
  }

  // `set_up`: statements that the connection sends by itself once it is up. One that does not come
  // up may have sent them, and said good-bye.
  void NoteConnect(bool up, uint64_t set_up) {
    ++connections;
    questions += set_up;
    if (up) return;
    ++unclear_connections;
    ++questions;
    unclear_questions += set_up + 1;
  }

  void NoteReset(bool done, bool connected, uint64_t set_up) {
    NoteQuestion(connected);
    questions += set_up;
    if (!done) unclear_questions += set_up;
  }

  // The server reads the good-bye when it comes to it, perhaps after the counters were read.
  void NoteClose() {
    ++questions;
    ++unclear_questions;
  }

  void Merge(const ServerTraffic& other) {
    questions += other.questions;
    unclear_questions += other.unclear_questions;
    connections += other.connections;
    unclear_connections += other.unclear_connections;
  }
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_SERVER_TRAFFIC_H_
