// A password: the one type it may live in. It cannot be streamed or formatted by accident; the only
// way to the text is Reveal(), which is easy to find in a review. The memory is wiped on the end of
// its life.
#ifndef DSLAP_COMMON_SECRET_H_
#define DSLAP_COMMON_SECRET_H_

#include <string>

namespace dslap {

// Overwrites the bytes of a string that held a secret, then empties it.
void WipeString(std::string* text);

class Secret {
 public:
  Secret() = default;
  // The argument is wiped: moving out of a short string would leave its bytes behind.
  explicit Secret(std::string text) : text_(text) { WipeString(&text); }
  Secret(const Secret&) = default;
  Secret& operator=(const Secret& other);
  Secret(Secret&& other) noexcept;
  Secret& operator=(Secret&& other) noexcept;
  ~Secret();

  const std::string& Reveal() const { return text_; }
  bool empty() const { return text_.empty(); }

 private:
  void Wipe();

  std::string text_;
};

}  // namespace dslap

#endif  // DSLAP_COMMON_SECRET_H_
