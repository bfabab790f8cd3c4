#include "agent/service/connection_book.h"

#include <algorithm>

namespace dslap {

void ConnectionBook::Add(int id, std::string peer, int64_t now_ns) {
  Entry& entry = entries_[id];
  entry = Entry{std::move(peer), now_ns};
  by_peer_[entry.peer] = id;
  PutBack(id, entry);
}

std::optional<ConnectionBook::Entry> ConnectionBook::Remove(int id) {
  const auto found = entries_.find(id);
  if (found == entries_.end()) return std::nullopt;
  Entry entry = std::move(found->second);
  entries_.erase(found);
  unused_.erase({entry.since_ns, id});
  watched_.erase({entry.since_ns, id});
  // Its address may be another connection's by now.
  const auto named = by_peer_.find(entry.peer);
  if (named != by_peer_.end() && named->second == id) by_peer_.erase(named);
  return entry;
}

void ConnectionBook::Called(absl::string_view peer, int64_t now_ns) {
  int id = -1;
  Entry* entry = TakeOut(peer, &id);
  if (entry == nullptr) return;
  entry->called = true;
  entry->since_ns = now_ns;
  PutBack(id, *entry);
}

void ConnectionBook::Asked(absl::string_view peer) {
  const auto named = by_peer_.find(peer);
  if (named != by_peer_.end()) entries_.at(named->second).called = true;
}

void ConnectionBook::Hold(absl::string_view peer) {
  int id = -1;
  Entry* entry = TakeOut(peer, &id);
  if (entry == nullptr) return;
  ++entry->runs;
  PutBack(id, *entry);
}

void ConnectionBook::Release(absl::string_view peer, int64_t now_ns) {
  int id = -1;
  Entry* entry = TakeOut(peer, &id);
  if (entry == nullptr) return;
  entry->runs = std::max(entry->runs - 1, 0);
  entry->since_ns = now_ns;
  PutBack(id, *entry);
}

void ConnectionBook::Watch(absl::string_view peer) {
  int id = -1;
  Entry* entry = TakeOut(peer, &id);
  if (entry == nullptr) return;
  ++entry->watches;
  PutBack(id, *entry);
}

void ConnectionBook::Unwatch(absl::string_view peer) {
  int id = -1;
  Entry* entry = TakeOut(peer, &id);
  if (entry == nullptr) return;
  entry->watches = std::max(entry->watches - 1, 0);
  PutBack(id, *entry);
}

std::vector<int> ConnectionBook::TakeOverdue(int64_t now_ns) {
  std::vector<int> ids;
  while (!unused_.empty() && now_ns - unused_.begin()->first >= limits_.longest_unused_ns) {
    ids.push_back(Take(&unused_));
  }
  return ids;
}

std::vector<int> ConnectionBook::TakeCrowd() {
  std::vector<int> ids;
  while (unused_.size() + watched_.size() > limits_.most_unused) ids.push_back(*TakeOldest());
  return ids;
}

std::optional<int> ConnectionBook::TakeOldest() {
  if (unused_.empty() && watched_.empty()) return std::nullopt;
  // One order for both: were watchers spared, enough of them would keep everybody else out.
  const bool watcher =
      unused_.empty() || (!watched_.empty() && *watched_.begin() < *unused_.begin());
  return Take(watcher ? &watched_ : &unused_);
}

std::optional<int64_t> ConnectionBook::NextOverdueNs() const {
  if (unused_.empty()) return std::nullopt;
  return unused_.begin()->first + limits_.longest_unused_ns;
}

const ConnectionBook::Entry* ConnectionBook::Find(int id) const {
  const auto found = entries_.find(id);
  return found == entries_.end() ? nullptr : &found->second;
}

std::vector<int> ConnectionBook::Ids() const {
  std::vector<int> ids;
  ids.reserve(entries_.size());
  for (const auto& [id, entry] : entries_) ids.push_back(id);
  return ids;
}

ConnectionBook::Entry* ConnectionBook::TakeOut(absl::string_view peer, int* id) {
  const auto named = by_peer_.find(peer);
  if (named == by_peer_.end()) return nullptr;
  *id = named->second;
  Entry& entry = entries_.at(*id);
  unused_.erase({entry.since_ns, *id});
  watched_.erase({entry.since_ns, *id});
  return &entry;
}

void ConnectionBook::PutBack(int id, const Entry& entry) {
  if (entry.taken || entry.runs > 0) return;
  (entry.watches > 0 ? watched_ : unused_).emplace(entry.since_ns, id);
}

int ConnectionBook::Take(Order* order) {
  const int id = order->begin()->second;
  order->erase(order->begin());
  entries_.at(id).taken = true;
  return id;
}

}  // namespace dslap
