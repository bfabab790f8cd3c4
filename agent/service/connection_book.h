// Which connections an agent has, what each is used for, and which are to go: those that were let
// in for nothing for too long, and the oldest of those when there are too many. Pure.
//
//   ConnectionBook book({.most_unused = 1000, .longest_unused_ns = 30'000'000'000});
//   book.Add(fd, "ipv4:10.0.0.9:41234", now_ns);
//   book.Hold("ipv4:10.0.0.9:41234");          // a run: it stays, however long
//   book.Release("ipv4:10.0.0.9:41234", now_ns);
//   for (const int id : book.TakeOverdue(now_ns)) shutdown(id, SHUT_RDWR);
#ifndef DSLAP_AGENT_SERVICE_CONNECTION_BOOK_H_
#define DSLAP_AGENT_SERVICE_CONNECTION_BOOK_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace dslap {

struct ConnectionLimits {
  size_t most_unused = 1000;
  int64_t longest_unused_ns = 30'000'000'000;
};

// Not thread-safe.
class ConnectionBook {
 public:
  struct Entry {
    std::string peer;
    int64_t since_ns = 0;  // when it came, or was last of use
    bool called = false;   // a call of this agent came
    bool taken = false;    // given out by one of Take...()
    int runs = 0;
    int watches = 0;
  };

  explicit ConnectionBook(ConnectionLimits limits) : limits_(limits) {}

  void Add(int id, std::string peer, int64_t now_ns);
  // What it was; nullopt when there is none of that id.
  std::optional<Entry> Remove(int id);

  // By the peer's address. What is not in the book (any more) is passed over.
  void Called(absl::string_view peer, int64_t now_ns);
  // A call that anybody may make, which is of no use in itself.
  void Asked(absl::string_view peer);
  // A run holds its connection: nothing ends it from here.
  void Hold(absl::string_view peer);
  void Release(absl::string_view peer, int64_t now_ns);
  // Who watches the agent's health may do so as long as it likes, while there is room.
  void Watch(absl::string_view peer);
  void Unwatch(absl::string_view peer);

  // Those that are to be ended, oldest first, each given out once.
  std::vector<int> TakeOverdue(int64_t now_ns);
  std::vector<int> TakeCrowd();
  // The oldest one without a run: for when something else has become short.
  std::optional<int> TakeOldest();

  // When TakeOverdue() will next have one; nullopt: never, as things are.
  std::optional<int64_t> NextOverdueNs() const;

  size_t size() const { return entries_.size(); }
  const Entry* Find(int id) const;
  std::vector<int> Ids() const;

 private:
  using Order = std::set<std::pair<int64_t, int>>;  // (since_ns, id)

  // The entry of `peer`, out of the order; PutBack() sorts it in again as it has become.
  Entry* TakeOut(absl::string_view peer, int* id);
  void PutBack(int id, const Entry& entry);
  int Take(Order* order);

  const ConnectionLimits limits_;
  std::unordered_map<int, Entry> entries_;
  std::map<std::string, int, std::less<>> by_peer_;
  Order unused_;   // neither runs nor watches
  Order watched_;  // watches only
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_CONNECTION_BOOK_H_
