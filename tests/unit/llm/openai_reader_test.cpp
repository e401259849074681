// Reading Chat Completions as the servers of every dialect send them.
#include "samples.h"

namespace kbx::llm {
namespace {

constexpr auto kO = DialectName::openai;
constexpr auto kV = DialectName::vllm;

std::string usage(const std::string& inside) { return "data: {\"choices\":[],\"usage\":{" + inside + "}}\n\n"; }
std::string plain() {
  return R"(data: {"id":"chatcmpl-1","model":"gpt-x-2026","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null})"
         "\n\n" + content("Hel") + content("lo") + finish() +
         usage(R"("prompt_tokens":11,"completion_tokens":7,"total_tokens":18,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":5})") + kDone;
}

TEST(OpenAiReader, AStreamBecomesAReply) {
  ChatReply r = reply(kO, {.headers = {{"x-request-id", "req_1"}}, .body = plain()});
  EXPECT_EQ(r.text, "Hello");
  EXPECT_EQ(r.stop, Stop::end);
  EXPECT_EQ(r.model_returned, "gpt-x-2026");
  EXPECT_EQ(r.fingerprint, "fp_1");
  EXPECT_EQ(r.request_id, "req_1");
  EXPECT_EQ(r.usage.in, 11);
  EXPECT_EQ(r.usage.in_cached, 4);
  EXPECT_EQ(r.usage.out, 7);
  EXPECT_EQ(r.usage.reasoning, 5);
  EXPECT_FALSE(r.usage.estimated);
  EXPECT_EQ(reply(kO, {.body = plain()}).request_id, "chatcmpl-1");
}

TEST(OpenAiReader, W01_ChunksWithoutChoicesAreNoEnd) {
  ChatReply r = reply(kO, {.body = R"(data: {"choices":[],"prompt_filter_results":[{}]})" "\n\n" + content("a") + usage(R"("prompt_tokens":3,"completion_tokens":1)") + content("b") + finish() + kDone});
  EXPECT_EQ(r.text, "ab");
  EXPECT_EQ(r.usage.in, 3);
}

TEST(OpenAiReader, W02_NullOrEmptyContentBesideReasoning) {
  ChatReply r = reply(kV, {.body = chunk(R"("delta":{"role":"assistant","content":null})") + chunk(R"("delta":{"content":null,"reasoning":"think"})") + chunk(R"("delta":{"content":"","reasoning":"ing"})") +
                                   chunk(R"("delta":{"content":"x","reasoning":"!"})") + finish() + kDone});
  EXPECT_EQ(r.text, "x");
  EXPECT_EQ(r.reasoning, "thinking!");
}

TEST(OpenAiReader, W02_ABudgetSpentInReasoningLeavesNoText) {
  ChatReply r = reply(DialectName::deepseek, {.body = chunk(R"("delta":{"content":null,"reasoning_content":"long"})") + chunk(R"("delta":{"content":""},"finish_reason":"length")") + kDone});
  EXPECT_EQ(r.text, "");
  EXPECT_EQ(r.reasoning, "long");
  EXPECT_EQ(r.stop, Stop::length);
}

TEST(OpenAiReader, W03_ContentAsParts) {
  ChatReply r = reply(DialectName::gateway, {.body = chunk(R"("delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"a"},{"type":"image","url":"u"},"b"]})") + finish()});
  EXPECT_EQ(r.text, "ab");
  EXPECT_EQ(r.reasoning, "hm");
}

TEST(OpenAiReader, W04_EveryFinishReasonIsMapped) {
  std::vector<std::pair<std::string, Stop>> all{{"stop", Stop::end}, {"length", Stop::length}, {"tool_calls", Stop::tool}, {"function_call", Stop::tool}, {"content_filter", Stop::filter},
                                                {"STOP", Stop::end}, {"MAX_TOKENS", Stop::length}, {"abort", Stop::aborted}, {"model_length", Stop::context_full}, {"weird", Stop::unknown}};
  for (auto& [word, stop] : all) {
    ChatReply r = reply(kO, {.body = content("x") + finish(word) + kDone});
    EXPECT_EQ(r.stop, stop) << word;
    EXPECT_EQ(r.raw_stop, word);
  }
}

TEST(OpenAiReader, W04_ADoneWithoutAFinishReasonIsAnEndOfUnknownKind) {
  EXPECT_EQ(reply(kO, {.body = content("x") + chunk(R"("delta":{},"finish_reason":null)") + kDone}).stop, Stop::unknown);
  EXPECT_EQ(error(kO, {.body = kDone}).fault, ApiFault::cut);
}

TEST(OpenAiReader, AStopStringIsToldFromTheEndOfATurn) {
  EXPECT_EQ(reply(kV, {.body = content("x") + chunk(R"("delta":{},"finish_reason":"stop","stop_reason":"END")")}).stop, Stop::stop_sequence);
  EXPECT_EQ(reply(kV, {.body = content("x") + chunk(R"("delta":{},"finish_reason":"stop","stop_reason":128009)")}).stop, Stop::end);
  EXPECT_EQ(reply(DialectName::sglang, {.body = content("x") + chunk(R"("delta":{},"finish_reason":"stop","matched_stop":"END")")}).stop, Stop::stop_sequence);
  EXPECT_EQ(reply(DialectName::sglang, {.body = content("x") + chunk(R"("delta":{},"finish_reason":"stop","matched_stop":2)")}).stop, Stop::end);
}

TEST(OpenAiReader, W05_NoDoneAfterTheFinishReason) {
  for (bool whole : {true, false}) EXPECT_EQ(reply(DialectName::transformers, {.body = content("x") + finish(), .whole = whole}).text, "x");
}

TEST(OpenAiReader, W05_TheLastLineNeedsNoEmptyLine) {
  std::string body = content("x") + finish();
  body.resize(body.size() - 2);
  EXPECT_EQ(reply(kO, {.body = body}).text, "x");
}

TEST(OpenAiReader, W06_EndBeforeAFinishReasonIsCut) {
  ApiError e = error(kO, {.body = content("half")});
  EXPECT_EQ(e.fault, ApiFault::cut);
  EXPECT_TRUE(e.retryable);
  ASSERT_TRUE(e.usage);
  EXPECT_TRUE(e.usage->estimated);
  EXPECT_EQ(e.usage->out, 2);
  EXPECT_FALSE(error(kO, {.body = ": OPENROUTER PROCESSING\n\n"}).usage);
}

TEST(OpenAiReader, W07_BlankLinesBeforeAJsonAnswer) {
  std::string body = R"({"id":"1","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"hi","reasoning_content":"r"},"finish_reason":"stop"}],"usage":{"prompt_tokens":2,"completion_tokens":3}})";
  for (size_t piece : {size_t(1), size_t(7), std::string::npos}) {
    ChatReply r = reply(DialectName::deepseek, {.headers = {{"content-type", "application/json"}}, .body = "\n\n\n\n\n" + body, .piece = piece});
    EXPECT_EQ(r.text, "hi");
    EXPECT_EQ(r.reasoning, "r");
    EXPECT_EQ(r.usage.out, 3);
  }
  EXPECT_EQ(error(kO, {.body = "\n\n" + body.substr(0, 60), .whole = false}).fault, ApiFault::cut);
  EXPECT_EQ(error(kO, {.body = body.substr(0, 60)}).fault, ApiFault::protocol);
}

TEST(OpenAiReader, W08_CommentsBetweenEvents) {
  ChatReply r = reply(DialectName::deepseek, {.body = ": keep-alive\n\n: keep-alive\n\n" + content("a") + ": x\n" + content("b") + ":\n" + finish() + kDone});
  EXPECT_EQ(r.text, "ab");
}

TEST(OpenAiReader, W09_LineEndsOfAllKindsAndNoSpace) {
  for (std::string end : {"\r\n", "\r", "\n"}) {
    std::string body;
    for (char c : plain()) body += c == '\n' ? end : std::string(1, c);
    for (size_t at; (at = body.find("data: {")) != body.npos;) body.erase(at + 5, 1);
    for (size_t piece : {size_t(1), size_t(2), size_t(13), std::string::npos}) EXPECT_EQ(reply(kO, {.body = body, .piece = piece}).text, "Hello") << end << piece;
  }
}

TEST(OpenAiReader, W09_OneChunkOverSeveralDataLines) {
  EXPECT_EQ(reply(kO, {.body = "data: {\"choices\":[{\"index\":0,\ndata: \"delta\":{\"content\":\"multi\"}}]}\n\n" + finish()}).text, "multi");
}

TEST(OpenAiReader, W10_CharactersSplitOverReads) {
  for (size_t piece = 1; piece < 9; piece++) EXPECT_EQ(reply(kO, {.body = content("\xE2\x82\xAC\xF0\x9F\x98\x80\xC3\xA9") + finish(), .piece = piece}).text, "\xE2\x82\xAC\xF0\x9F\x98\x80\xC3\xA9");
}

TEST(OpenAiReader, W11_AByteOrderMarkIsNoText) {
  for (size_t piece : {size_t(1), size_t(2), std::string::npos}) {
    EXPECT_EQ(reply(kO, {.body = "\xEF\xBB\xBF" + content("a") + finish(), .piece = piece}).text, "a");
    EXPECT_EQ(reply(kO, {.body = "\xEF\xBB\xBF{\"choices\":[{\"message\":{\"content\":\"j\"},\"finish_reason\":\"stop\"}]}", .piece = piece}).text, "j");
  }
}

TEST(OpenAiReader, W12_W13_NamedAndUnknownEvents) {
  std::string named = content("a");
  ChatReply r = reply(kO, {.body = "event: message\n" + named + "event: ping\ndata: hello\n\n" + "event: mood\ndata: {\"choices\":[{\"delta\":{\"content\":\"NO\"}}]}\n\n" + "id: 3\nretry: 10\nfoo: bar\nlonely\n" +
                                   chunk(R"("delta":{"content":"b","mood":"fine"},"novel":[1])") + finish()});
  EXPECT_EQ(r.text, "ab");
}

TEST(OpenAiReader, W14_ErrorsInsideAStream) {
  ApiError e = error(kV, {.body = content("x") + R"(data: {"error":{"message":"too long","type":"BadRequestError","param":null,"code":400}})" "\n\n" + kDone});
  EXPECT_EQ(e.fault, ApiFault::invalid);
  EXPECT_EQ(e.http, 200);
  EXPECT_FALSE(e.retryable);
  EXPECT_TRUE(e.usage);
  e = error(DialectName::transformers, {.body = R"(data: {"error":"CUDA out of memory"})" "\n\n"});
  EXPECT_EQ(e.message, "CUDA out of memory");
  EXPECT_TRUE(e.retryable);
  e = error(DialectName::gateway, {.body = content("x") + R"(data: {"error":{"code":502,"message":"Provider disconnected","metadata":{"raw":"upstream says no"}},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]})" "\n\n"});
  EXPECT_EQ(e.message, "Provider disconnected: upstream says no");
  EXPECT_TRUE(e.retryable);
  e = error(DialectName::gateway, {.body = content("x") + finish("error")});
  EXPECT_EQ(e.fault, ApiFault::http);
  EXPECT_TRUE(e.retryable);
  e = error(kO, {.body = "event: error\ndata: {\"message\":\"boom\",\"type\":\"server_error\"}\n\n"});
  EXPECT_EQ(e.message, "boom");
  EXPECT_EQ(e.type, "server_error");
}

TEST(OpenAiReader, W14_DeepSeekOutOfMachinesIsTriedAgain) {
  ApiError e = error(DialectName::deepseek, {.body = content("x") + finish("insufficient_system_resource") + kDone});
  EXPECT_EQ(e.fault, ApiFault::overloaded);
  EXPECT_TRUE(e.retryable);
}

TEST(OpenAiReader, W14_AnErrorObjectInA200JsonAnswer) {
  ApiError e = error(DialectName::gateway, {.body = R"({"error":{"message":"No credits","code":402}})"});
  EXPECT_EQ(e.fault, ApiFault::billing);
  EXPECT_TRUE(e.stops_provider);
  e = error(DialectName::transformers, {.body = "{}"});
  EXPECT_EQ(e.fault, ApiFault::protocol);
  EXPECT_FALSE(e.retryable);
}

TEST(OpenAiReader, ASpoiledChunkIsNoReply) {
  ApiError e = error(kO, {.body = content("a") + "data: {\"choices\":[{\"in\n\n" + content("b") + finish() + kDone});
  EXPECT_EQ(e.fault, ApiFault::protocol);
  EXPECT_TRUE(e.retryable);
}

TEST(OpenAiReader, W15_HtmlOrNothingWithStatus200) {
  ApiError e = error(kO, {.headers = {{"content-type", "text/html"}}, .body = "<html><head><title>Sign in</title></head></html>"});
  EXPECT_EQ(e.fault, ApiFault::protocol);
  EXPECT_NE(e.message.find("Sign in"), std::string::npos);
  EXPECT_EQ(error(kO, {.body = ""}).fault, ApiFault::protocol);
  EXPECT_EQ(error(kO, {.body = "", .whole = false}).fault, ApiFault::cut);
}

TEST(OpenAiReader, W18_MissingCountsAreEstimatedAndMarked) {
  ChatReply r = reply(kO, {.body = content(std::string(70, 'x')) + finish() + kDone});
  EXPECT_TRUE(r.usage.estimated);
  EXPECT_EQ(r.usage.out, 20);
  EXPECT_EQ(r.usage.in, 9);  // 16 bytes and a frame of 4
  r = reply(kO, {.body = content(std::string(70, 'x')) + finish() + usage(R"("prompt_tokens":0,"completion_tokens":0)")});
  EXPECT_TRUE(r.usage.estimated);
  EXPECT_EQ(r.usage.out, 20);
}

TEST(OpenAiReader, W18_CumulativeCountsInEveryChunk) {
  std::string body;
  for (int k = 1; k <= 4; k++)
    body += R"(data: {"choices":[{"index":0,"delta":{"content":"x"}}],"usage":{"prompt_tokens":5,"completion_tokens":)" + std::to_string(k) + "}}\n\n";
  ChatReply r = reply(kV, {.body = body + finish() + usage(R"("prompt_tokens":5,"completion_tokens":4,"total_tokens":9)") + kDone});
  EXPECT_EQ(r.usage.in, 5);
  EXPECT_EQ(r.usage.out, 4);
}

TEST(OpenAiReader, W18_TheCountRidesOnTheLastChunkWithAChoice) {
  ChatReply r = reply(DialectName::transformers, {.body = content("x") + R"(data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":8,"completion_tokens":2}})" "\n\n"});
  EXPECT_EQ(r.usage.in, 8);
  EXPECT_FALSE(r.usage.estimated);
}

TEST(OpenAiReader, W18_SeveralChoicesCountedAsOne) {
  // llama.cpp with n=2 reports the tokens of one choice only.
  std::string other = "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"" + std::string(350, 'y') + "\"}}]}\n\n";
  ChatReply r = reply(DialectName::llamacpp, {.body = content(std::string(350, 'x')) + other + finish() + usage(R"("prompt_tokens":9,"completion_tokens":100)")});
  EXPECT_EQ(r.text, std::string(350, 'x'));
  EXPECT_EQ(r.usage.out, 200);
  EXPECT_TRUE(r.usage.estimated);
}

TEST(OpenAiReader, W18_VariantsOfCachedAndReasoningTokens) {
  EXPECT_EQ(reply(DialectName::deepseek, {.body = content("x") + finish() + usage(R"("prompt_tokens":100,"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":36,"completion_tokens":9)")}).usage.in_cached, 64);
  ChatReply r = reply(DialectName::gateway, {.body = content("x") + finish() + usage(R"("prompt_tokens":10,"completion_tokens":5,"total_tokens":45,"completion_tokens_details":{"reasoning_tokens":30})")});
  EXPECT_EQ(r.usage.out, 35);  // reasoning stood beside the completion
  EXPECT_EQ(r.usage.reasoning, 30);
  r = reply(DialectName::llamacpp, {.body = content("x") + R"(data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"timings":{"cache_n":40,"prompt_n":2,"predicted_n":12}})" "\n\n"});
  EXPECT_EQ(r.usage.in, 42);
  EXPECT_EQ(r.usage.in_cached, 40);
  EXPECT_EQ(r.usage.out, 12);
  EXPECT_FALSE(r.usage.estimated);
}

TEST(OpenAiReader, W19_ReasoningUnderEveryNameOnce) {
  for (const char* key : {"reasoning", "reasoning_content"})
    EXPECT_EQ(reply(DialectName::gateway, {.body = chunk(std::string("\"delta\":{\"") + key + "\":\"r\"}") + content("x") + finish()}).reasoning, "r") << key;
  EXPECT_EQ(reply(DialectName::gateway, {.body = chunk(R"("delta":{"reasoning":"r","reasoning_content":"r","reasoning_details":[{"type":"reasoning.text","text":"r"}]})") + content("x") + finish()}).reasoning, "r");
  EXPECT_EQ(reply(DialectName::gateway, {.body = chunk(R"("delta":{"reasoning_details":[{"type":"reasoning.text","text":"a"},{"type":"reasoning.summary","summary":"b"},{"type":"reasoning.encrypted","data":"zz"}]})") + content("x") + finish()}).reasoning, "ab");
}

TEST(OpenAiReader, W19_ThinkTagsInTheText) {
  auto said = [](DialectName d, const std::string& text) { return reply(d, {.body = content(text) + finish()}); };
  ChatReply r = said(kV, R"(<think>\nplan\n</think>\n\ncode)");
  EXPECT_EQ(r.text, "code");
  EXPECT_EQ(r.reasoning, "plan");
  r = said(DialectName::sglang, R"(plan without a tag\n</think>\ncode)");  // DeepSeek-R1's template opens the tag itself
  EXPECT_EQ(r.text, "code");
  EXPECT_EQ(r.reasoning, "plan without a tag");
  r = said(kV, R"(<think>\nnever ends)");
  EXPECT_EQ(r.text, "<think>\nnever ends");  // extraction marks it
  EXPECT_EQ(r.reasoning, "");
  r = said(kO, R"(<think>x</think>code)");  // OpenAI's models have no such tags: it is text
  EXPECT_EQ(r.text, "<think>x</think>code");
  r = reply(kV, {.body = chunk(R"("delta":{"reasoning":"apart"})") + content("see `</think>` and </think> here") + finish()});
  EXPECT_EQ(r.text, "see `</think>` and </think> here");
}

TEST(OpenAiReader, W21_AnotherModelAnswered) { EXPECT_EQ(reply(kO, {.body = plain()}).model_returned, "gpt-x-2026"); }

TEST(OpenAiReader, W24_KeepAlivesAreNoPayload) {
  int64_t payloads = 0;
  read(DialectName::deepseek, {.body = ": keep-alive\n\n" + chunk(R"("delta":{"role":"assistant","content":""})") + "data: {\"choices\":[]}\n\n\n\n"}, &payloads);
  EXPECT_EQ(payloads, 0);
  read(DialectName::deepseek, {.body = "\n\n\n\n"}, &payloads);
  EXPECT_EQ(payloads, 0);
  read(DialectName::deepseek, {.body = content("x") + chunk(R"("delta":{"reasoning_content":"y"})")}, &payloads);
  EXPECT_EQ(payloads, 2);
}

TEST(OpenAiReader, ARefusalIsToldAndShown) {
  ChatReply r = reply(kO, {.body = chunk(R"("delta":{"content":null,"refusal":"I cannot"})") + finish()});
  EXPECT_EQ(r.stop, Stop::refusal);
  EXPECT_EQ(r.text, "I cannot");
}

TEST(OpenAiReader, AReplyWithoutEndIsBounded) {
  auto reader = dialect_of(kO).reader(simple_request());
  reader->headers(200, {});
  std::string piece = content(std::string(1 << 20, 'x'));
  for (int k = 0; k < 200; k++) reader->feed(piece);
  ChatResult r = reader->finish(true, 0);
  ASSERT_TRUE(std::holds_alternative<ApiError>(r));
  EXPECT_EQ(std::get<ApiError>(r).fault, ApiFault::protocol);
  EXPECT_NE(std::get<ApiError>(r).message.find("64 MiB"), std::string::npos);
  ASSERT_TRUE(std::get<ApiError>(r).usage);
  EXPECT_LT(std::get<ApiError>(r).usage->out, (66 << 20) * 2 / 7);  // no more than that was kept
}

// [0,0,...] is eight times as large once it is read.
TEST(OpenAiReader, JsonInsteadOfAStreamIsBoundedMore) {
  auto body = [](size_t size) { return Answer{.body = R"({"choices":[{"index":0,"message":{"content":"x"},"finish_reason":"stop"}],"padding":")" + std::string(size, ' ') + "\"}"}; };
  EXPECT_EQ(reply(kO, body(15 << 20)).text, "x");
  EXPECT_NE(error(kO, body(17 << 20)).message.find("16 MiB"), std::string::npos);
}

}  // namespace
}  // namespace kbx::llm
