// Memory for the frames of coroutines, recycled, so that a coroutine that is called again and again
// allocates nothing after the first time.
#ifndef DSLAP_AGENT_ASYNC_FRAME_POOL_H_
#define DSLAP_AGENT_ASYNC_FRAME_POOL_H_

#include <cstddef>

namespace dslap {

// Thread-safe. Each thread keeps what it was given back until it ends.
void* TakeFrame(size_t bytes);
void GiveFrame(void* frame, size_t bytes);

}  // namespace dslap

#endif  // DSLAP_AGENT_ASYNC_FRAME_POOL_H_
