#include "common/secret.h"

#include <cstring>

namespace dslap {

Secret& Secret::operator=(const Secret& other) {
  if (this != &other) {
    Wipe();
    text_ = other.text_;
  }
  return *this;
}

// Copies rather than moves: moving out of a short string would leave its bytes behind.
// NOLINTNEXTLINE(performance-move-constructor-init)
Secret::Secret(Secret&& other) noexcept : text_(other.text_) { other.Wipe(); }

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this != &other) {
    Wipe();
    text_ = other.text_;
    other.Wipe();
  }
  return *this;
}

Secret::~Secret() { Wipe(); }

void Secret::Wipe() { WipeString(&text_); }

void WipeString(std::string* text) {
  explicit_bzero(text->data(), text->size());
  text->clear();
}

}  // namespace dslap
