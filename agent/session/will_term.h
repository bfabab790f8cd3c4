// How long a last will may take as a whole, and what ended it early. Pure.
//
//   WillTerm term;
//   term.Begin(now_ns, delay_ns);
//   if (term.Expired(now_ns)) term.Cut("...", now_ns);      // the first reason stays
#ifndef DSLAP_AGENT_SESSION_WILL_TERM_H_
#define DSLAP_AGENT_SESSION_WILL_TERM_H_

#include <cstdint>
#include <limits>
#include <string>

namespace dslap {

// Not thread-safe.
class WillTerm {
 public:
  // For all of it but the delay that it asks for itself.
  static constexpr int64_t kLongestNs = 20'000'000'000;

  void Begin(int64_t now_ns, int64_t delay_ns) {
    begun_ = true;
    ends_at_ns_ = now_ns + delay_ns + kLongestNs;
  }
  bool begun() const { return begun_; }
  bool Expired(int64_t now_ns) const { return begun_ && now_ns >= ends_at_ns_; }

  // It is to end now, or not to begin.
  void Cut(const std::string& why, int64_t now_ns) {
    if (cut()) return;
    why_ = why;
    cut_at_ns_ = now_ns;
  }
  bool cut() const { return !why_.empty(); }
  const std::string& why() const { return why_; }
  // How long ago it was cut; 0: it was not.
  int64_t SinceCut(int64_t now_ns) const { return cut() ? now_ns - cut_at_ns_ : 0; }

 private:
  bool begun_ = false;
  int64_t ends_at_ns_ = std::numeric_limits<int64_t>::max();
  std::string why_;  // empty: not cut
  int64_t cut_at_ns_ = 0;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_WILL_TERM_H_
