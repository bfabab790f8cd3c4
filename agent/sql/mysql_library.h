// What the client library wants before its first use. Thread-safe.
#ifndef DSLAP_AGENT_SQL_MYSQL_LIBRARY_H_
#define DSLAP_AGENT_SQL_MYSQL_LIBRARY_H_

#include <string>

namespace dslap {

// Once in the process, before any thread uses it. Unless the program handles SIGPIPE, has it
// ignored: a lost server must be an error, not the end of the program.
void InitialiseMySqlLibrary();

// In each thread that calls the library, which keeps data for it; undone at the thread's end.
void InitialiseMySqlThread();

// The Unix socket that the library goes over when none is given.
std::string DefaultSocketPath();

}  // namespace dslap

#endif  // DSLAP_AGENT_SQL_MYSQL_LIBRARY_H_
