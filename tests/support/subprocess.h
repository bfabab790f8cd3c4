// A child process of a test: started, watched, and never left behind.
//
//   Subprocess child({.argv = {"/bin/echo", "hello"}});
//   ASSERT_TRUE(child.WaitForExit(absl::Seconds(10)));
//   EXPECT_EQ(child.exit_code(), 0);
//   EXPECT_EQ(child.out(), "hello\n");
//
//   ProcessResult result = RunProcess({.argv = {"mariadb", "--version"}}, absl::Seconds(10));
#ifndef DSLAP_TESTS_SUPPORT_SUBPROCESS_H_
#define DSLAP_TESTS_SUPPORT_SUBPROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace dslap {

struct SubprocessSpec {
  std::vector<std::string> argv = {};           // argv[0] is looked for in PATH
  std::map<std::string, std::string> env = {};  // on top of the test's own environment
  std::string directory = {};                   // working directory; empty: the test's own
  int network_fd = -1;  // of the network namespace to run in (NetHost); -1: the test's own
};

// The child leads a process group of its own and is killed when the thread that started it ends,
// so start it on a thread that lives as long as the test. Standard input is /dev/null. What cannot
// be executed ends with exit code 127 and the reason on its standard error. out() and err() may be
// called from any thread, the rest only from one.
class Subprocess {
 public:
  explicit Subprocess(const SubprocessSpec& spec);
  // Kills the whole process group if the child has not ended.
  ~Subprocess();
  Subprocess(const Subprocess&) = delete;
  Subprocess& operator=(const Subprocess&) = delete;

  pid_t pid() const { return pid_; }

  // To the child only; no-op when it has been waited for.
  void Signal(int signal) const;

  // True when the child has ended. Its output is then complete, unless a child of its own still
  // holds the pipes five seconds later.
  bool WaitForExit(absl::Duration timeout);

  // True as soon as the text is in the output so far; false at the timeout or when the output ended
  // without it.
  bool WaitForOutput(const std::string& text, absl::Duration timeout);
  bool WaitForError(const std::string& text, absl::Duration timeout);
  // As WaitForError, but also waits for the end of the line that the text is in.
  bool WaitForErrorLine(const std::string& text, absl::Duration timeout);

  // As a shell shows it: 128 + signal for a child that a signal ended. Absent while it runs.
  std::optional<int> exit_code() const { return exit_code_; }

  // The most memory the child ever held, once it has ended.
  int64_t peak_rss_bytes() const { return peak_rss_bytes_; }

  std::string out() const;
  std::string err() const;

 private:
  bool WaitForText(const std::string* stream, const std::string& text, const std::string& then,
                   absl::Duration timeout);
  void ReadPipes(int out_fd, int err_fd);

  pid_t pid_ = -1;
  int pid_fd_ = -1;
  std::optional<int> exit_code_;
  int64_t peak_rss_bytes_ = 0;

  mutable absl::Mutex mu_;
  std::string out_ ABSL_GUARDED_BY(mu_);
  std::string err_ ABSL_GUARDED_BY(mu_);
  bool ended_ ABSL_GUARDED_BY(mu_) = false;  // both pipes are at their end

  std::thread reader_;
  int wake_fd_ = -1;  // tells the reader to give up
};

struct ProcessResult {
  int exit_code = -1;  // -1: it did not end in time and was killed
  std::string out;
  std::string err;
  absl::Duration elapsed;
  int64_t peak_rss_bytes = 0;
};

ProcessResult RunProcess(const SubprocessSpec& spec, absl::Duration timeout);

}  // namespace dslap

#endif  // DSLAP_TESTS_SUPPORT_SUBPROCESS_H_
