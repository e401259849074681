// JsonScan, and the readings that use it: what they take is what the built JSON says.
#include "llm/json_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "llm/readings.h"

namespace kbx::llm {
namespace {

bool takes(std::string_view text) {
  JsonScan scan(text);
  return scan.skip() && scan.at_end();
}

TEST(JsonScan, TakesWhatIsUsual) {
  for (const char* text : {"{}", " [ ] ", R"({"a": 1, "b": [-0.5, 1e-5, 2E+10, 0], "c": {"d": "x\n\"y\"\/"}, "e": [true, false, null]})", "\"\xC3\xA4 \xE2\x82\xAC\"", "123456789012345", "\"\x7F\""}) {
    EXPECT_TRUE(takes(text)) << text;
    EXPECT_TRUE(parse_json(text)) << text;
  }
}

TEST(JsonScan, GivesUpOnWhatIsNot) {
  for (const char* text : {"", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "[1,]", "[1 2]", "01", "-", "1.", ".5", "1e", "+1", "nul", "nullx", "\"a", "\"\\x\"", "\"\\", "\"a\nb\"", "\"\xC3\"", "\"\xED\xA0\x80\"",
                           "{} {}", "{a: 1}", "\xEF\xBB\xBF{}"})
    EXPECT_FALSE(takes(text)) << text;
  EXPECT_FALSE(takes("\"\\u0041\"")) << "JSON, but the other reader's";
  EXPECT_FALSE(takes("1234567890123456"));
  EXPECT_FALSE(takes("1e999"));
  EXPECT_FALSE(takes(R"({"\n": 1})")) << "a key is compared as it stands";
  EXPECT_FALSE(takes(std::string(100000, '[')));
}

struct Case {
  bool anthropic;
  bool taken;
  const char* data;
};

// Both ways over the same event.
void expect_equal(const Case& c) {
  auto make = [&] { return c.anthropic ? anthropic_reading() : openai_reading(false); };
  auto by_piece = make(), by_json = make();
  Gathered a, b;
  EXPECT_EQ(by_piece->piece("", c.data, a), c.taken) << c.data;
  if (!c.taken) {
    EXPECT_TRUE(a.payloads == 0 && a.kept == 0 && a.model.empty()) << c.data;
    return;
  }
  auto json = parse_json(c.data);
  ASSERT_TRUE(json) << c.data;
  by_json->event("", *json, b);
  EXPECT_FALSE(b.error || b.ended || b.several) << c.data;
  for (auto [reading, gathered] : {std::pair{by_piece.get(), &a}, {by_json.get(), &b}}) reading->assemble(*gathered);
  EXPECT_EQ(std::tie(a.text, a.reasoning, a.model, a.id, a.fingerprint, a.payloads, a.kept), std::tie(b.text, b.reasoning, b.model, b.id, b.fingerprint, b.payloads, b.kept)) << c.data;
}

TEST(JsonScan, APieceOfAStreamIsReadAsTheBuiltJsonSays) {
  const Case cases[] = {
      {false, true, R"({"id":"c","object":"chat.completion.chunk","created":17,"model":"m","system_fingerprint":null,"choices":[{"index":0,"delta":{"content":"a\n"},"logprobs":null,"finish_reason":null}],"usage":null})"},
      {false, true, R"({"choices":[{"delta":{"role":"assistant","content":""},"index":0}]})"},
      {false, true, R"({"choices":[{"index":0,"delta":{"reasoning_content":"why","reasoning":"why","content":null}}],"model":"m","obfuscation":"xyz"})"},
      {false, true, R"({"choices":[{"index":0,"delta":{"reasoning_content":"","reasoning":"because"},"logprobs":{"content":[{"token":"a","logprob":-1.25e-3,"top_logprobs":[]}]}}]})"},
      {false, true, R"({"choices":[{"index":0,"delta":{}}],"id":"","model":""})"},
      {false, false, R"({"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]})"},
      {false, false, R"({"choices":[{"index":1,"delta":{"content":"a"}}]})"},
      {false, false, R"({"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"b"}}]})"},
      {false, false, R"({"choices":[]})"},
      {false, false, R"({"choices":[{"index":0,"delta":{"content":"a"}}],"usage":{"prompt_tokens":3}})"},
      {false, false, R"({"choices":[{"index":0,"delta":{"content":"a"}}],"error":"gone"})"},
      {false, false, R"({"object":"error","choices":[{"index":0,"delta":{"content":"a"}}]})"},
      {false, false, R"({"choices":[{"index":0,"delta":{"content":"a","content":"b"}}]})"},
      {false, false, R"({"choices":[{"index":0,"delta":{"content":[{"type":"text","text":"a"}]}}]})"},
      {false, false, R"({"choices":[{"index":0,"delta":{"content":"a","tool_calls":[]}}]})"},
      {false, false, R"({"choices":[{"index":0,"delta":{"content":"\u00e4"}}]})"},
      {false, false, R"({"model":"n","choices":[{"index":0,"delta":{"content":"a"}}]} x)"},
      {true, true, R"({"type":"content_block_delta","index":3,"delta":{"type":"text_delta","text":"a\tb"}})"},
      {true, true, R"({"delta":{"thinking":"hm","type":"thinking_delta"},"index":0,"type":"content_block_delta","other":[1]})"},
      {true, false, R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a"}})"},
      {true, false, R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}})"},
      {true, false, R"({"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{"}})"},
      {true, false, R"({"type":"content_block_delta","index":null,"delta":{"text":"a"}})"},
      {true, false, R"({"type":"content_block_delta","index":0,"delta":{"text":"a"},"error":{"type":"overloaded_error"}})"},
      {true, false, R"({"index":0,"delta":{"text":"a"}})"},
  };
  for (const Case& c : cases) expect_equal(c);
}

TEST(JsonScan, AnErrorEventIsNoPiece) {
  Gathered g;
  EXPECT_FALSE(openai_reading(false)->piece("error", R"({"choices":[{"index":0,"delta":{"content":"a"}}]})", g));
}

}  // namespace
}  // namespace kbx::llm
