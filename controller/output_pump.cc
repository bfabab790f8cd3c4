#include "controller/output_pump.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/string_view.h"

namespace dslap {
namespace {

// The errno of a write that failed, or 0.
int WriteAll(int fd, absl::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

}  // namespace

OutputPump::OutputPump(int fd) : fd_(fd), stream_(this), thread_([this] { PassOn(); }) {}

OutputPump::~OutputPump() {
  {
    absl::MutexLock lock(&mu_);
    ending_ = true;
  }
  thread_.join();
}

void OutputPump::Drain() {
  const auto idle = [this]()
                        ABSL_SHARED_LOCKS_REQUIRED(mu_) { return waiting_.empty() && !writing_; };
  absl::MutexLock lock(&mu_);
  mu_.Await(absl::Condition(&idle));
}

int OutputPump::Finish() {
  stream_.flush();
  Drain();
  absl::MutexLock lock(&mu_);
  return error_;
}

OutputPump::int_type OutputPump::overflow(int_type character) {
  if (!traits_type::eq_int_type(character, traits_type::eof())) {
    unflushed_.push_back(traits_type::to_char_type(character));
  }
  return traits_type::not_eof(character);
}

std::streamsize OutputPump::xsputn(const char* text, std::streamsize size) {
  unflushed_.append(text, static_cast<size_t>(size));
  return size;
}

int OutputPump::sync() {
  absl::MutexLock lock(&mu_);
  waiting_.append(std::exchange(unflushed_, {}));
  return 0;
}

void OutputPump::PassOn() {
  const auto has_work = [this]() ABSL_SHARED_LOCKS_REQUIRED(mu_) {
    return !waiting_.empty() || ending_;
  };
  absl::MutexLock lock(&mu_);
  for (;;) {
    mu_.Await(absl::Condition(&has_work));
    if (waiting_.empty()) return;
    const std::string text = std::exchange(waiting_, {});
    if (error_ != 0) continue;
    writing_ = true;
    mu_.Unlock();
    const int error = WriteAll(fd_, text);
    mu_.Lock();
    writing_ = false;
    error_ = error;
  }
}

}  // namespace dslap
