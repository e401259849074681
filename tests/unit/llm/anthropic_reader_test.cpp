// Reading Anthropic Messages: streams, whole messages, blocks, stop reasons, tokens.
#include "samples.h"

namespace kbx::llm {
namespace {

constexpr auto kA = DialectName::anthropic;

std::string start(const std::string& usage = R"("input_tokens":100,"cache_creation_input_tokens":20,"cache_read_input_tokens":300,"output_tokens":1)") {
  return event("message_start", R"({"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-x-1","content":[],"stop_reason":null,"usage":{)" + usage + "}}}");
}
std::string block(int index, const std::string& inside) {
  return event("content_block_start", R"({"type":"content_block_start","index":)" + std::to_string(index) + R"(,"content_block":)" + inside + "}");
}
std::string delta(int index, const std::string& inside) {
  return event("content_block_delta", R"({"type":"content_block_delta","index":)" + std::to_string(index) + R"(,"delta":)" + inside + "}");
}
std::string stop(int index) { return event("content_block_stop", R"({"type":"content_block_stop","index":)" + std::to_string(index) + "}"); }
std::string tail(const std::string& reason = "end_turn", const std::string& usage = R"("output_tokens":57)") {
  return event("message_delta", R"({"type":"message_delta","delta":{"stop_reason":")" + reason + R"(","stop_sequence":null},"usage":{)" + usage + "}}") +
         event("message_stop", R"({"type":"message_stop"})");
}
std::string text(int index, const std::string& words) { return delta(index, R"({"type":"text_delta","text":")" + words + "\"}"); }

std::string plain() { return start() + block(0, R"({"type":"text","text":""})") + event("ping", R"({"type":"ping"})") + text(0, "Hello") + text(0, ", you") + stop(0) + tail(); }

TEST(AnthropicReader, AStreamBecomesAReply) {
  ChatReply r = reply(kA, {.headers = {{"request-id", "req_9"}}, .body = plain()});
  EXPECT_EQ(r.text, "Hello, you");
  EXPECT_EQ(r.reasoning, "");
  EXPECT_EQ(r.stop, Stop::end);
  EXPECT_EQ(r.raw_stop, "end_turn");
  EXPECT_EQ(r.model_returned, "claude-x-1");
  EXPECT_EQ(r.request_id, "req_9");
  EXPECT_EQ(r.usage.in, 420);
  EXPECT_EQ(r.usage.in_cached, 300);
  EXPECT_EQ(r.usage.in_cache_write, 20);
  EXPECT_EQ(r.usage.out, 57);
  EXPECT_FALSE(r.usage.estimated);
}

TEST(AnthropicReader, EverySplitOfTheBytesIsTheSameReply) {
  for (size_t piece = 1; piece <= 64; piece++) EXPECT_EQ(reply(kA, {.body = plain(), .piece = piece}).text, "Hello, you") << piece;
}

TEST(AnthropicReader, ThinkingComesFirstAndIsKeptApart) {
  ChatReply r = reply(kA, {.body = start() + block(0, R"({"type":"thinking","thinking":"","signature":""})") + delta(0, R"({"type":"thinking_delta","thinking":"Let me see."})") +
                                   delta(0, R"({"type":"signature_delta","signature":"c2ln"})") + stop(0) + block(1, R"({"type":"redacted_thinking","data":"xx"})") + stop(1) +
                                   block(2, R"({"type":"text","text":""})") + text(2, "code") + stop(2) + tail("end_turn", R"("output_tokens":90,"output_tokens_details":{"thinking_tokens":70})")});
  EXPECT_EQ(r.text, "code");
  EXPECT_EQ(r.reasoning, "Let me see.");
  EXPECT_EQ(r.usage.reasoning, 70);
}

TEST(AnthropicReader, W20_BlocksThatInterleaveAreKeyedByIndex) {
  // llama.cpp: index 1 starts before index 0 stops, and the signature of 0 comes last.
  ChatReply r = reply(kA, {.body = start() + block(0, R"({"type":"thinking","thinking":""})") + delta(0, R"({"type":"thinking_delta","thinking":"a"})") +
                                   block(1, R"({"type":"text","text":""})") + text(1, "x") + delta(0, R"({"type":"thinking_delta","thinking":"b"})") + text(1, "y") +
                                   delta(0, R"({"type":"signature_delta","signature":""})") + stop(0) + stop(1) + tail()});
  EXPECT_EQ(r.text, "xy");
  EXPECT_EQ(r.reasoning, "ab");
}

TEST(AnthropicReader, TextOfAllBlocksIsJoinedInTheOrderOfIndexes) {
  ChatReply r = reply(kA, {.body = start() + block(2, R"({"type":"text","text":"C"})") + block(0, R"({"type":"text","text":"A"})") + block(1, R"({"type":"tool_use","id":"t","input":{}})") +
                                   delta(1, R"({"type":"input_json_delta","partial_json":"{}"})") + text(0, "a") + tail("tool_use")});
  EXPECT_EQ(r.text, "AaC");
  EXPECT_EQ(r.stop, Stop::tool);
}

TEST(AnthropicReader, W13_UnknownEventsBlocksAndDeltasAreIgnored) {
  ChatReply r = reply(kA, {.body = start() + event("weather", "not json at all {") + event("message_mood", R"({"type":"message_mood","mood":3})") +
                                   block(0, R"({"type":"hologram","shape":"cube"})") + delta(0, R"({"type":"hologram_delta","turn":1})") + block(1, R"({"type":"text","text":""})") +
                                   text(1, "ok") + delta(1, R"({"type":"citations_delta","citation":{}})") + tail()});
  EXPECT_EQ(r.text, "ok");
}

TEST(AnthropicReader, W12_EventsWithoutNamesAreKnownByTheirType) {
  std::string body = plain();
  for (size_t at; (at = body.find("event: ")) != body.npos;) body.erase(at, body.find('\n', at) - at + 1);
  EXPECT_EQ(reply(kA, {.body = body}).text, "Hello, you");
}

TEST(AnthropicReader, W04_EveryStopReasonIsMapped) {
  std::vector<std::pair<std::string, Stop>> all{{"end_turn", Stop::end}, {"max_tokens", Stop::length}, {"stop_sequence", Stop::stop_sequence}, {"tool_use", Stop::tool},
                                                {"pause_turn", Stop::pause}, {"refusal", Stop::refusal}, {"model_context_window_exceeded", Stop::context_full}, {"novel", Stop::unknown}};
  for (auto& [word, stop] : all) {
    ChatReply r = reply(kA, {.body = start() + tail(word)});
    EXPECT_EQ(r.stop, stop) << word;
    EXPECT_EQ(r.raw_stop, word);
  }
}

TEST(AnthropicReader, ARefusalKeepsItsCategory) {
  ChatReply r = reply(kA, {.body = start() + event("message_delta", R"({"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":{"type":"refusal","category":"cyber"}},"usage":{"output_tokens":3}})") +
                                   event("message_stop", R"({"type":"message_stop"})")});
  EXPECT_EQ(r.stop, Stop::refusal);
  EXPECT_EQ(r.raw_stop, "refusal:cyber");
  EXPECT_EQ(r.text, "");
}

TEST(AnthropicReader, W18_CumulativeCountsAreNotAdded) {
  std::string body = start() + block(0, R"({"type":"text","text":"x"})");
  for (int n : {10, 20, 30}) body += event("message_delta", R"({"type":"message_delta","delta":{},"usage":{"output_tokens":)" + std::to_string(n) + "}}");
  EXPECT_EQ(reply(kA, {.body = body + tail("end_turn", R"("output_tokens":31)")}).usage.out, 31);
}

TEST(AnthropicReader, W06_EndWithoutMessageStopIsCut) {
  std::string body = plain();
  body.resize(body.find("event: message_stop"));
  ApiError e = error(kA, {.body = body});
  EXPECT_EQ(e.fault, ApiFault::cut);
  EXPECT_TRUE(e.retryable);
  ASSERT_TRUE(e.usage);
  EXPECT_EQ(e.usage->in, 420);
  EXPECT_EQ(e.usage->out, 57);
  EXPECT_TRUE(e.usage->estimated);
}

TEST(AnthropicReader, ACutStreamSaysWhatWasUsedUntilThen) {
  ApiError e = error(kA, {.body = start() + block(0, R"({"type":"text","text":""})") + text(0, std::string(700, 'x')), .whole = false});
  EXPECT_EQ(e.fault, ApiFault::cut);
  EXPECT_NE(e.message.find("after 700 bytes"), std::string::npos) << e.message;
  ASSERT_TRUE(e.usage);
  EXPECT_EQ(e.usage->in, 420);
  EXPECT_EQ(e.usage->out, 200);
}

TEST(AnthropicReader, W14_AnErrorInsideTheStream) {
  ApiError e = error(kA, {.body = start() + event("error", R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})")});
  EXPECT_EQ(e.fault, ApiFault::overloaded);
  EXPECT_EQ(e.http, 200);
  EXPECT_EQ(e.type, "overloaded_error");
  EXPECT_TRUE(e.retryable);
  e = error(kA, {.body = start() + event("error", R"({"type":"error","error":{"type":"invalid_request_error","message":"bad"}})")});
  EXPECT_EQ(e.fault, ApiFault::invalid);
  EXPECT_FALSE(e.retryable);
}

TEST(AnthropicReader, AServerThatDoesNotStreamIsReadToo) {
  ChatReply r = reply(kA, {.headers = {{"content-type", "application/json"}},
                           .body = "\n\n" R"({"id":"msg_2","type":"message","role":"assistant","model":"c","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"A"},{"type":"text","text":"B"}],"stop_reason":"max_tokens","usage":{"input_tokens":5,"output_tokens":6}})"});
  EXPECT_EQ(r.text, "AB");
  EXPECT_EQ(r.reasoning, "hm");
  EXPECT_EQ(r.stop, Stop::length);
  EXPECT_EQ(r.usage.in, 5);
  EXPECT_EQ(reply(kA, {.body = R"({"type":"message","content":[],"stop_reason":"end_turn","usage":{"input_tokens":5,"output_tokens":1}})"}).text, "");
}

TEST(AnthropicReader, W24_PingsAndEmptyEventsAreNoPayload) {
  int64_t payloads = 0;
  read(kA, {.body = start() + block(0, R"({"type":"text","text":""})") + event("ping", R"({"type":"ping"})") + ": keep-alive\n\n"}, &payloads);
  EXPECT_EQ(payloads, 0);
  read(kA, {.body = start() + block(0, R"({"type":"thinking","thinking":""})") + delta(0, R"({"type":"thinking_delta","thinking":"a"})") + text(1, "b")}, &payloads);
  EXPECT_EQ(payloads, 2);
}

TEST(AnthropicReader, W21_TheModelThatAnsweredIsTold) {
  EXPECT_EQ(reply(kA, {.body = plain()}).model_returned, "claude-x-1");
}

}  // namespace
}  // namespace kbx::llm
