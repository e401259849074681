// Code wrapped in JSON: strict, almost strict, broken.
#include "intake/json_reply.h"

#include <gtest/gtest.h>

namespace kbx::intake {
namespace {

TEST(JsonReply, TakesTheCodeOfAValidObject) {
  auto got = code_from_json(" {\"strategy\": \"a } b\", \"code\": \"x = \\\"1\\\"\\n\"}\nmore text");
  ASSERT_TRUE(got);
  EXPECT_EQ(got->code, "x = \"1\"\n");
  EXPECT_FALSE(got->salvaged);
  EXPECT_EQ(code_from_json(R"({"solution": "y", "response": "z"})")->code, "y");
}

TEST(JsonReply, IsNothingWithoutAnObjectThatHoldsCode) {
  for (const char* text : {"", "import torch\n", "[{\"code\": \"x\"}]", "{\"a\": 1}", "{\"code\": 3}", "{code}",
                           "{\"code\" x", "{\"code\":"})
    EXPECT_FALSE(code_from_json(text)) << text;
}

TEST(JsonReply, SalvagesRawLineEndsEscapesAndQuotes) {
  auto got = code_from_json("{\"code\": \"a\n\\tb = \\\"c\\\" \\u00e9\\u20ac\\u0041 \\q \\\\ d\",\n \"notes\": \"n\"}");
  ASSERT_TRUE(got);
  EXPECT_TRUE(got->salvaged);
  EXPECT_FALSE(got->cut);
  EXPECT_EQ(got->code,
            "a\n\tb = \"c\" \xC3\xA9\xE2\x82\xAC"
            "A \\q \\ d");
}

TEST(JsonReply, QuotesThatNobodyEscapedDoNotEndTheCode) {
  auto got = code_from_json("{\"code\": \"x = \"a\"\ny = [\"b\", \"c\"]\nz = {\"k\": 1}\n\"\n}");
  ASSERT_TRUE(got);
  EXPECT_EQ(got->code, "x = \"a\"\ny = [\"b\", \"c\"]\nz = {\"k\": 1}\n");
}

TEST(JsonReply, AcceptsPythonsTripleQuotes) {
  EXPECT_EQ(code_from_json("{\"code\": \"\"\"\nx = \"1\"\n\"\"\"}")->code, "\nx = \"1\"\n");
  EXPECT_TRUE(code_from_json("{\"code\": \"\"\"\nx = 1")->cut);
}

TEST(JsonReply, SaysThatTheStringIsCut) {
  auto got = code_from_json("{\"code\": \"x = 1\\ny = \\");
  ASSERT_TRUE(got);
  EXPECT_TRUE(got->cut);
  EXPECT_EQ(got->code, "x = 1\ny = ");
}

TEST(JsonReply, FindsTheObjectInProseAndFences) {
  auto object = object_in("Sure: {not json} then\n```json\n{\"a\": 0.5, \"b\": \"{\"}\n```\n{\"c\": 1}");
  ASSERT_TRUE(object);
  EXPECT_EQ(get_double(*object, "a"), 0.5);
  EXPECT_FALSE(object_in("no { object"));
  EXPECT_FALSE(object_in("[1, 2]"));
  EXPECT_FALSE(object_in(std::string(100000, '{')));
}

TEST(JsonReply, ReadsOneStringOfAnObjectOrOfItsRemains) {
  EXPECT_EQ(string_from_json(R"({"strategy": "tile\nmore", "code": "x"})", "strategy"), "tile\nmore");
  EXPECT_EQ(string_from_json("{\"strategy\": \"first\nsecond\", \"code\": \"x = ", "strategy"), "first\nsecond") << "raw line ends, and the rest is cut";
  EXPECT_EQ(string_from_json(R"({"strategy": 3})", "strategy"), std::nullopt);
  EXPECT_EQ(string_from_json("nothing", "strategy"), std::nullopt);
}

}  // namespace
}  // namespace kbx::intake
