#include "controller/output_pump.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <thread>

#include "gtest/gtest.h"

namespace dslap {
namespace {

// More than a pipe holds.
const std::string& LongText() {
  static const auto* const text = new std::string(1 << 20, 'x');
  return *text;
}

class OutputPumpTest : public ::testing::Test {
 protected:
  OutputPumpTest() { EXPECT_EQ(pipe2(ends_, O_CLOEXEC), 0); }
  ~OutputPumpTest() override {
    CloseReader();
    CloseWriter();
  }

  void CloseReader() {
    if (ends_[0] >= 0) close(ends_[0]);
    ends_[0] = -1;
  }
  void CloseWriter() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

  // Reads exactly `size` bytes.
  std::string Read(size_t size) {
    std::string text(size, '\0');
    size_t got = 0;
    while (got < size) {
      const ssize_t n = read(ends_[0], text.data() + got, size - got);
      if (n <= 0) break;
      got += static_cast<size_t>(n);
    }
    text.resize(got);
    return text;
  }

  int ends_[2] = {-1, -1};
};

TEST_F(OutputPumpTest, PassesOnWhatWasFlushedInOrder) {
  OutputPump pump(ends_[1]);
  pump.stream() << "Benchmark " << 1 << '\n' << std::flush;
  EXPECT_EQ(Read(12), "Benchmark 1\n");
  pump.stream() << "two " << std::flush << "three " << std::flush;
  EXPECT_EQ(Read(10), "two three ");
  EXPECT_EQ(pump.Finish(), 0);
}

TEST_F(OutputPumpTest, WriterDoesNotWaitForTheReader) {
  OutputPump pump(ends_[1]);
  // Nobody reads: this would block for ever if it waited.
  for (int i = 0; i < 3; ++i) pump.stream() << LongText() << std::flush;
  EXPECT_TRUE(pump.stream().good());
  EXPECT_EQ(Read(3 * LongText().size()).size(), 3 * LongText().size());
}

TEST_F(OutputPumpTest, DrainWaitsUntilAllIsPassedOn) {
  OutputPump pump(ends_[1]);
  pump.stream() << LongText() << std::flush;
  std::thread reader([this] { Read(LongText().size() - 10); });
  pump.Drain();
  // The pipe itself still holds the rest.
  reader.join();
  fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  EXPECT_EQ(Read(10).size(), 10u);
}

TEST_F(OutputPumpTest, FinishFlushes) {
  OutputPump pump(ends_[1]);
  pump.stream() << "end";
  EXPECT_EQ(pump.Finish(), 0);
  EXPECT_EQ(Read(3), "end");
}

TEST_F(OutputPumpTest, DestructorPassesOnWhatWasFlushed) {
  std::thread reader;
  {
    OutputPump pump(ends_[1]);
    pump.stream() << LongText() << std::flush;
    reader = std::thread([this] { EXPECT_EQ(Read(LongText().size()), LongText()); });
  }
  reader.join();
}

TEST_F(OutputPumpTest, FirstErrorIsKeptAndEndsTheWriting) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  OutputPump pump(ends_[1]);
  CloseReader();
  pump.stream() << "one" << std::flush;
  pump.stream() << "two" << std::flush;
  EXPECT_EQ(pump.Finish(), EPIPE);
  std::signal(SIGPIPE, before);
}

TEST_F(OutputPumpTest, FullDiskIsToldByFinish) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  OutputPump pump(full);
  pump.stream() << "one" << std::flush;
  EXPECT_EQ(pump.Finish(), ENOSPC);
  close(full);
}

}  // namespace
}  // namespace dslap
