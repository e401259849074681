// Keys: where they come from, and that they go nowhere else.
#include "llm/secret.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <type_traits>

namespace kbx::llm {
namespace {

using testing::HasSubstr;
using testing::Not;

template <class T>
concept Printable = requires(std::ostream& out, const T& value) { out << value; };
static_assert(!Printable<Secret> && Printable<std::string>);
static_assert(!std::is_copy_constructible_v<Secret> && !std::is_convertible_v<Secret, std::string>);

Provider with(std::string env, std::string cmd) {
  Provider p;
  p.name = "p";
  p.key_env = std::move(env);
  p.key_cmd = std::move(cmd);
  return p;
}

TEST(Secret, ComesFromTheEnvironment) {
  setenv("KBX_TEST_KEY", "  abc-123\n", 1);
  EXPECT_EQ(read_secret(with("KBX_TEST_KEY", ""))->reveal(), "abc-123");
  EXPECT_TRUE(read_secret(with("", ""))->empty());
  unsetenv("KBX_TEST_KEY");
  EXPECT_THAT(read_secret(with("KBX_TEST_KEY", "")).error().message, HasSubstr("the environment variable KBX_TEST_KEY is not set"));
}

TEST(Secret, ComesFromACommand) {
  EXPECT_EQ(read_secret(with("", "echo from-cmd; echo second line"))->reveal(), "from-cmd");
  EXPECT_EQ(read_secret(with("KBX_TEST_NO_SUCH", "echo from-cmd"))->reveal(), "from-cmd");
}

TEST(Secret, ACommandThatFailsSaysSoAndQuotesNothing) {
  std::string message = read_secret(with("", "echo sekret-output; exit 3")).error().message;
  EXPECT_THAT(message, HasSubstr("exit code 3"));
  EXPECT_THAT(message, Not(HasSubstr("sekret-output")));
  EXPECT_THAT(read_secret(with("", "true")).error().message, HasSubstr("printed no key"));
  EXPECT_THAT(read_secret(with("", "head -c 100000 /dev/zero")).error().message, HasSubstr("more than a key"));
}

TEST(Secret, AKeyWithALineEndInsideIsNoHeader) {
  setenv("KBX_TEST_KEY", "abc\r\nx-evil: 1", 1);
  std::string message = read_secret(with("KBX_TEST_KEY", "")).error().message;
  EXPECT_THAT(message, HasSubstr("control characters"));
  EXPECT_THAT(message, Not(HasSubstr("evil")));
  unsetenv("KBX_TEST_KEY");
}

TEST(Secret, WhatIsHiddenIsInheritedByNobody) {
  setenv("KBX_TEST_KEY", "sekret", 1);
  Registry r;
  r.providers["a"] = with("KBX_TEST_KEY", "");
  r.providers["b"] = with("", "true");
  Secret key = *read_secret(r.providers["a"]);
  const char* bytes = std::getenv("KBX_TEST_KEY");
  hide_keys(r);
  EXPECT_EQ(key.reveal(), "sekret");
  EXPECT_STREQ(bytes, "");
  EXPECT_EQ(std::getenv("KBX_TEST_KEY"), nullptr);
  EXPECT_EQ(read_secret(with("", "echo seen:$KBX_TEST_KEY"))->reveal(), "seen:");
}

TEST(Secret, OnlyProvidersOfTheModelsAskedForAreRead) {
  Registry r;
  r.providers["a"] = with("KBX_TEST_NO_SUCH", "");
  r.providers["b"] = with("", "echo key-of-b");
  r.models["ma"].provider = "a";
  r.models["mb"].provider = "b";
  auto keys = read_keys(r, {"mb"});
  ASSERT_TRUE(keys);
  EXPECT_EQ(keys->size(), 1u);
  EXPECT_FALSE(read_keys(r, {"ma", "mb"}));
  EXPECT_THAT(read_keys(r, {"mc"}).error().message, HasSubstr("no model \"mc\""));
}

TEST(Scrubber, TakesOutKeysInAllTheirPlaces) {
  Scrubber s;
  s.add(Secret("my/secret+key"));
  for (const char* text : {"got my/secret+key!", "url?k=my%2Fsecret%2Bkey", "https://user:my/secret+key@host/path"})
    EXPECT_THAT(s.clean(text), testing::AllOf(Not(HasSubstr("secret+key")), Not(HasSubstr("secret%2Bkey")))) << text;
  EXPECT_EQ(s.clean("authorization: Basic abcdef\nnext"), "authorization: [key]\nnext");
  EXPECT_EQ(s.clean(R"({"X-Api-Key": "abcdef", "b": 1})"), R"({"X-Api-Key": "[key]", "b": 1})");
  EXPECT_EQ(s.clean("Set-Cookie: a=b; c=d"), "Set-Cookie: [key]");
  EXPECT_EQ(s.clean("see https://me:pw@host/v1/x?token=abc#f, please"), "see https://host/v1/x?[query], please");
  EXPECT_EQ(s.clean("wrong key sk-ant-0123456789abcdef given"), "wrong key [key] given");
  EXPECT_EQ(s.clean("nothing: to see; a=b, https://host/path."), "nothing: to see; a=b, https://host/path.");
}

TEST(Scrubber, MaskingKeepsTheLength) {
  Scrubber s;
  s.add(Secret("abcdefgh"));
  std::string bytes = "xabcdefghyabcdefgh";
  s.mask(bytes);
  EXPECT_EQ(bytes, "x********y********");
}

TEST(Scrubber, OnlyHeadersOfTheListAreKept) {
  Scrubber s;
  s.add(Secret("abcdefgh"));
  Headers kept = s.clean(Headers{{"content-type", "text/html"}, {"set-cookie", "x"}, {"x-ratelimit-limit-tokens", "5"}, {"x-echo", "abcdefgh"}, {"request-id", "for abcdefgh"}});
  EXPECT_EQ(kept, (Headers{{"content-type", "text/html"}, {"x-ratelimit-limit-tokens", "5"}, {"request-id", "for [key]"}}));
}

}  // namespace
}  // namespace kbx::llm
