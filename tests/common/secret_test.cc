#include "common/secret.h"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

namespace dslap {
namespace {

// Longer than a string keeps inside itself, and short enough for that.
const char* const kTexts[] = {"a password that needs memory of its own", "short"};

template <typename T, typename = void>
struct IsStreamable : std::false_type {};
template <typename T>
struct IsStreamable<T, std::void_t<decltype(std::declval<std::ostream&>() << std::declval<T>())>>
    : std::true_type {};

static_assert(!IsStreamable<Secret>::value, "a password must not be printed by accident");
static_assert(!std::is_convertible_v<Secret, std::string>);
static_assert(!std::is_convertible_v<std::string, Secret>);

bool Contains(const char* bytes, size_t size, const std::string& text) {
  return std::string(bytes, size).find(text) != std::string::npos;
}

TEST(SecretTest, RevealsWhatWasPutIn) {
  EXPECT_TRUE(Secret().empty());
  for (const std::string text : kTexts) {
    const Secret secret(text);
    EXPECT_FALSE(secret.empty());
    EXPECT_EQ(secret.Reveal(), text);
    const Secret copy = secret;  // NOLINT(performance-unnecessary-copy-initialization)
    EXPECT_EQ(copy.Reveal(), text);
    Secret assigned("another");
    assigned = copy;
    EXPECT_EQ(assigned.Reveal(), text);
    assigned = *&assigned;
    EXPECT_EQ(assigned.Reveal(), text);
  }
}

TEST(SecretTest, MovingEmptiesAndWipesTheSource) {
  for (const std::string text : kTexts) {
    Secret source(text);
    const Secret moved = std::move(source);
    EXPECT_EQ(moved.Reveal(), text);
    EXPECT_TRUE(source.empty());  // NOLINT(bugprone-use-after-move): that is the promise
    EXPECT_FALSE(Contains(source.Reveal().data(), source.Reveal().capacity(), text));
    Secret again(text);
    Secret target("another");
    target = std::move(again);
    EXPECT_EQ(target.Reveal(), text);
    // NOLINTNEXTLINE(bugprone-use-after-move): that is the promise
    EXPECT_FALSE(Contains(again.Reveal().data(), again.Reveal().capacity(), text));
  }
}

// The object's memory is ours here, so that it can be looked at after the object's end.
TEST(SecretTest, DestructorWipesAShortTextInsideTheObject) {
  alignas(Secret) unsigned char memory[sizeof(Secret)];
  auto* const secret = new (memory) Secret(std::string("short"));
  const std::string during(reinterpret_cast<const char*>(memory), sizeof(memory));
  EXPECT_NE(during.find("short"), std::string::npos);
  secret->~Secret();
  // Read through a volatile pointer: the compiler may not assume what dead memory holds.
  std::string after;
  const volatile unsigned char* bytes = memory;
  for (size_t i = 0; i < sizeof(memory); ++i) after.push_back(static_cast<char>(bytes[i]));
  EXPECT_EQ(after.find("short"), std::string::npos);
}

TEST(SecretTest, AssigningWipesTheTextBefore) {
  Secret secret(std::string("a password that needs memory of its own"));
  const char* const bytes = secret.Reveal().data();
  const size_t size = secret.Reveal().size();
  secret = Secret(std::string("x"));
  EXPECT_EQ(secret.Reveal(), "x");
  ASSERT_EQ(secret.Reveal().data(), bytes) << "the memory must still be ours to look at";
  EXPECT_FALSE(Contains(bytes, size, "password"));
}

TEST(WipeStringTest, OverwritesAndEmpties) {
  std::string text = "a password that needs memory of its own";
  const char* const bytes = text.data();
  const size_t size = text.size();
  WipeString(&text);
  EXPECT_TRUE(text.empty());
  ASSERT_EQ(text.data(), bytes) << "the memory must still be ours to look at";
  EXPECT_EQ(std::string(bytes, size), std::string(size, '\0'));
}

}  // namespace
}  // namespace dslap
