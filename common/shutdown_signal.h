// SIGINT, SIGTERM and, unless it is ignored, SIGHUP as calls on a thread of their own, so that the
// reaction may take locks.
//
// Without two file descriptors to spare it does nothing: the signals then end the process at once.
//
// Construct it first thing in main(), before any other thread starts: it blocks the signals for the
// process, and threads inherit the mask.
//
//   ShutdownSignal signals([&](int times, int signal) { if (times == 1) coordinator.Interrupt();
//   });
#ifndef DSLAP_COMMON_SHUTDOWN_SIGNAL_H_
#define DSLAP_COMMON_SHUTDOWN_SIGNAL_H_

#include <functional>
#include <thread>

namespace dslap {

class ShutdownSignal {
 public:
  // `handler(times, signal)` runs on the signal thread; `times` counts signals from 1.
  explicit ShutdownSignal(std::function<void(int times, int signal)> handler);
  // Stops the thread; signals stay blocked.
  ~ShutdownSignal();
  ShutdownSignal(const ShutdownSignal&) = delete;
  ShutdownSignal& operator=(const ShutdownSignal&) = delete;

 private:
  void Loop();

  std::function<void(int, int)> handler_;
  int signal_fd_;
  int stop_fd_;
  std::thread thread_;
};

}  // namespace dslap

#endif  // DSLAP_COMMON_SHUTDOWN_SIGNAL_H_
