// Failing statements and connects as data: counted per error code and SQLSTATE.
//
//   ErrorTally tally;
//   tally.Add({1213, "40001", "Deadlock found ..."});
//   for (const ErrorTally::Entry& entry : tally.entries()) ...
#ifndef DSLAP_COMMON_ERROR_TALLY_H_
#define DSLAP_COMMON_ERROR_TALLY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "dslap/v1/agent.pb.h"
#include "google/protobuf/repeated_field.h"

namespace dslap {

// Of an operation that was given up after --query-timeout (SQLSTATE HYT00). The client libraries'
// own codes end far below.
inline constexpr uint32_t kQueryTimeoutCode = 2999;

// What the client library (codes 2000 to 2998) or the server said, or 2999: given up after a
// timeout. Code 0: no error.
struct SqlError {
  uint32_t code = 0;
  std::string sqlstate;
  std::string message;

  bool ok() const { return code == 0; }
  // "Access denied for user 'x'@'localhost' (1045/28000)"
  std::string ToString() const;
};

// Not thread-safe. Adding an error that was seen before does not allocate.
class ErrorTally {
 public:
  struct Entry {
    SqlError first;  // first sample of its code and SQLSTATE
    uint64_t count = 0;
  };

  void Add(const SqlError& error, uint64_t count = 1);
  void Merge(const ErrorTally& other);

  uint64_t total() const;
  bool empty() const { return entries_.empty(); }
  // Most frequent first, then by code.
  std::vector<Entry> entries() const;

  void ToProto(google::protobuf::RepeatedPtrField<v1::ErrorCount>* out) const;
  static ErrorTally FromProto(const google::protobuf::RepeatedPtrField<v1::ErrorCount>& in);

 private:
  std::vector<Entry> entries_;  // a handful at most: searched linearly
};

v1::SqlError ToProto(const SqlError& error);
SqlError FromProto(const v1::SqlError& error);

}  // namespace dslap

#endif  // DSLAP_COMMON_ERROR_TALLY_H_
