#include "agent/async/frame_pool.h"

#include <array>
#include <new>
#include <utility>

namespace dslap {
namespace {

constexpr size_t kStep = 64;
constexpr size_t kClasses = 32;  // frames up to 2 KiB; longer ones are not kept

// AddressSanitizer is to see each frame come and go.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kPooled = false;
#else
constexpr bool kPooled = true;
#endif

struct FreeFrame {
  FreeFrame* next;
};

class FramePool {
 public:
  FramePool() = default;
  ~FramePool() {
    for (FreeFrame*& first : free_) {
      while (first != nullptr) ::operator delete(std::exchange(first, first->next));
    }
  }
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;

  FreeFrame*& FirstOf(size_t size_class) { return free_[size_class]; }

 private:
  std::array<FreeFrame*, kClasses> free_{};
};

FramePool& PoolOfThread() {
  thread_local FramePool pool;
  return pool;
}

constexpr size_t ClassOf(size_t bytes) { return (bytes - 1) / kStep; }

}  // namespace

void* TakeFrame(size_t bytes) {
  const size_t size_class = ClassOf(bytes);
  if (!kPooled || size_class >= kClasses) return ::operator new(bytes);
  FreeFrame*& first = PoolOfThread().FirstOf(size_class);
  if (first == nullptr) return ::operator new((size_class + 1) * kStep);
  return std::exchange(first, first->next);
}

void GiveFrame(void* frame, size_t bytes) {
  const size_t size_class = ClassOf(bytes);
  if (!kPooled || size_class >= kClasses) return ::operator delete(frame);
  FreeFrame*& first = PoolOfThread().FirstOf(size_class);
  first = new (frame) FreeFrame{first};
}

}  // namespace dslap
