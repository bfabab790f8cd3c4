#include "common/error_tally.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace dslap {

std::string SqlError::ToString() const {
  return absl::StrCat(message, " (", code, "/", sqlstate, ")");
}

void ErrorTally::Add(const SqlError& error, uint64_t count) {
  for (Entry& entry : entries_) {
    if (entry.first.code == error.code && entry.first.sqlstate == error.sqlstate) {
      entry.count += count;
      return;
    }
  }
  entries_.push_back({error, count});
}

void ErrorTally::Merge(const ErrorTally& other) {
  for (const Entry& entry : other.entries_) Add(entry.first, entry.count);
}

uint64_t ErrorTally::total() const {
  uint64_t total = 0;
  for (const Entry& entry : entries_) total += entry.count;
  return total;
}

std::vector<ErrorTally::Entry> ErrorTally::entries() const {
  std::vector<Entry> sorted = entries_;
  std::sort(sorted.begin(), sorted.end(), [](const Entry& a, const Entry& b) {
    return std::tie(b.count, a.first.code, a.first.sqlstate) <
           std::tie(a.count, b.first.code, b.first.sqlstate);
  });
  return sorted;
}

void ErrorTally::ToProto(google::protobuf::RepeatedPtrField<v1::ErrorCount>* out) const {
  for (const Entry& entry : entries()) {
    v1::ErrorCount* message = out->Add();
    *message->mutable_first() = dslap::ToProto(entry.first);
    message->set_count(entry.count);
  }
}

ErrorTally ErrorTally::FromProto(const google::protobuf::RepeatedPtrField<v1::ErrorCount>& in) {
  ErrorTally tally;
  for (const v1::ErrorCount& entry : in) tally.Add(dslap::FromProto(entry.first()), entry.count());
  return tally;
}

v1::SqlError ToProto(const SqlError& error) {
  v1::SqlError message;
  message.set_code(error.code);
  // It is whatever five bytes the server sent, and a string on the wire must be UTF-8.
  const bool is_text = std::all_of(error.sqlstate.begin(), error.sqlstate.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c));
  });
  message.set_sqlstate(is_text ? error.sqlstate : "HY000");
  message.set_message(error.message);
  return message;
}

SqlError FromProto(const v1::SqlError& error) {
  return {error.code(), error.sqlstate(), error.message()};
}

}  // namespace dslap
