// A descriptor as a stream whose writer never waits: a thread of its own passes on what was
// flushed. With it, a reader that pauses (`dslap ... | less`) holds up nobody who has leases to
// keep alive.
//
//   OutputPump pump(STDOUT_FILENO);
//   pump.stream() << "Benchmark\n" << std::flush;
//   const int error = pump.Finish();
#ifndef DSLAP_CONTROLLER_OUTPUT_PUMP_H_
#define DSLAP_CONTROLLER_OUTPUT_PUMP_H_

#include <ostream>
#include <streambuf>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace dslap {

// stream() is used by one thread at a time; Drain() is thread-safe. What waits to be passed on is
// kept in memory.
class OutputPump final : private std::streambuf {
 public:
  // `fd` is not closed.
  explicit OutputPump(int fd);
  // Passes on what was flushed.
  ~OutputPump() override;
  OutputPump(const OutputPump&) = delete;
  OutputPump& operator=(const OutputPump&) = delete;

  std::ostream& stream() { return stream_; }

  // Waits until what was flushed has been passed on, or cannot be.
  void Drain();

  // Flushes and drains. The errno of the first write that failed, after which nothing was written;
  // 0: none did.
  int Finish();

 private:
  int_type overflow(int_type character) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;
  void PassOn();

  const int fd_;
  std::string unflushed_;
  std::ostream stream_;

  absl::Mutex mu_;
  std::string waiting_ ABSL_GUARDED_BY(mu_);
  bool writing_ ABSL_GUARDED_BY(mu_) = false;
  bool ending_ ABSL_GUARDED_BY(mu_) = false;
  int error_ ABSL_GUARDED_BY(mu_) = 0;
  std::thread thread_;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_OUTPUT_PUMP_H_
