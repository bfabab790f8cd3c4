// Standard input, output and error of a program that was started without them.
//
// A descriptor 0, 1 or 2 that is closed at the start is given to the next file or connection that
// is opened: then the report goes into a log, or a message into a connection. So they are put on
// /dev/null, in the direction in which they are not used: a report that cannot be written stays an
// error.
//
//   int main() {
//     OpenMissingStandardStreams();   // before anything is opened
#ifndef DSLAP_COMMON_STANDARD_STREAMS_H_
#define DSLAP_COMMON_STANDARD_STREAMS_H_

namespace dslap {

// Before other threads start.
void OpenMissingStandardStreams();

}  // namespace dslap

#endif  // DSLAP_COMMON_STANDARD_STREAMS_H_
