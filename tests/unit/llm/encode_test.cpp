// Requests as bytes: one golden body a dialect, and what each leaves out.
#include "samples.h"

namespace kbx::llm {
namespace {

using Words = std::vector<std::string>;

// Everything that can be asked at once.
ChatRequest full_request() {
  ChatRequest r = simple_request();
  r.system = "You write kernels.";
  r.messages = {{Speaker::user, "Guide", true}, {Speaker::assistant, "Draft", false}, {Speaker::user, "Again", false}};
  r.sampling = {0.7, 0.95, 40, 5, {"END"}};
  r.max_tokens = 4096;
  r.thinking = Thinking::off;
  r.effort = "high";
  r.schema = {{"type", "object"}};
  return r;
}

HttpRequest encoded(DialectName d, const ChatRequest& r, const std::string& id, const std::string& url = "http://127.0.0.1:8000/v1") {
  auto out = dialect_of(d).encode(r, provider_at(d, url), model_of(d, id));
  EXPECT_TRUE(out) << (out ? "" : out.error().message);
  return out ? *out : HttpRequest{};
}

constexpr const char* kPlainMessages = R"("messages":[{"role":"system","content":"You write kernels."},{"role":"user","content":"Guide"},{"role":"assistant","content":"Draft"},{"role":"user","content":"Again"}])";

TEST(Encode, AnthropicGolden) {
  HttpRequest r = encoded(DialectName::anthropic, full_request(), "claude-sonnet-4-5-20250929", "https://api.anthropic.com/");
  EXPECT_EQ(r.url, "https://api.anthropic.com/v1/messages");
  EXPECT_EQ(r.key_header, "x-api-key");
  EXPECT_EQ(r.key_prefix, "");
  EXPECT_EQ(r.headers, (Headers{{"content-type", "application/json"}, {"accept", "text/event-stream"}, {"anthropic-version", "2023-06-01"}}));
  EXPECT_EQ(r.body,
            R"({"model":"claude-sonnet-4-5-20250929","max_tokens":4096,"system":[{"type":"text","text":"You write kernels.","cache_control":{"type":"ephemeral"}}],)"
            R"("messages":[{"role":"user","content":[{"type":"text","text":"Guide","cache_control":{"type":"ephemeral"}}]},{"role":"assistant","content":"Draft"},{"role":"user","content":"Again"}],)"
            R"("temperature":0.7,"top_k":40,"stop_sequences":["END"],"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}},"stream":true})");
  EXPECT_EQ(r.left_out, (Words{"top_p", "seed", "effort"}));
}

TEST(Encode, OpenAiGolden) {
  HttpRequest r = encoded(DialectName::openai, full_request(), "gpt-4o-2024-08-06", "https://api.openai.com/v1");
  EXPECT_EQ(r.url, "https://api.openai.com/v1/chat/completions");
  EXPECT_EQ(r.key_header, "authorization");
  EXPECT_EQ(r.key_prefix, "Bearer ");
  EXPECT_EQ(r.body, std::string(R"({"model":"gpt-4o-2024-08-06",)") + kPlainMessages +
                        R"(,"max_tokens":4096,"temperature":0.7,"top_p":0.95,"seed":5,"stop":["END"],"response_format":{"type":"json_schema","json_schema":{"name":"reply","schema":{"type":"object"}}},"stream":true,"stream_options":{"include_usage":true}})");
  EXPECT_EQ(r.left_out, (Words{"top_k", "thinking off", "effort"}));
}

TEST(Encode, OpenAiReasoningGolden) {
  HttpRequest r = encoded(DialectName::openai, full_request(), "gpt-5.2");
  EXPECT_EQ(r.body, std::string(R"({"model":"gpt-5.2",)") + kPlainMessages +
                        R"(,"max_completion_tokens":4096,"reasoning_effort":"high","response_format":{"type":"json_schema","json_schema":{"name":"reply","schema":{"type":"object"}}},"stream":true,"stream_options":{"include_usage":true}})");
  EXPECT_EQ(r.left_out, (Words{"temperature", "top_p", "top_k", "seed", "stop", "thinking off"}));
}

TEST(Encode, DeepSeekGolden) {
  HttpRequest r = encoded(DialectName::deepseek, full_request(), "deepseek-v4-pro", "https://api.deepseek.com");
  EXPECT_EQ(r.url, "https://api.deepseek.com/chat/completions");
  EXPECT_EQ(r.body, std::string(R"({"model":"deepseek-v4-pro",)") + kPlainMessages +
                        R"(,"max_tokens":4096,"temperature":0.7,"top_p":0.95,"stop":["END"],"thinking":{"type":"disabled"},"reasoning_effort":"high","stream":true,"stream_options":{"include_usage":true}})");
  EXPECT_EQ(r.left_out, (Words{"top_k", "seed", "schema"}));
}

TEST(Encode, DeepSeekIgnoresATemperatureWhileItThinks) {
  ChatRequest q = simple_request();
  q.sampling.temperature = 1.0;
  EXPECT_EQ(encoded(DialectName::deepseek, q, "deepseek-flash").left_out, (Words{"temperature"}));
  q.thinking = Thinking::off;
  EXPECT_TRUE(encoded(DialectName::deepseek, q, "deepseek-flash").left_out.empty());
}

constexpr const char* kServerTail =
    R"(,"max_tokens":4096,"temperature":0.7,"top_p":0.95,"top_k":40,"seed":5,"stop":["END"],"chat_template_kwargs":{"enable_thinking":false},)"
    R"("response_format":{"type":"json_schema","json_schema":{"name":"reply","schema":{"type":"object"}}},"stream":true,"stream_options":{"include_usage":true}})";

TEST(Encode, VllmGolden) {
  HttpRequest r = encoded(DialectName::vllm, full_request(), "Qwen/Qwen3-32B");
  EXPECT_EQ(r.body, std::string(R"({"model":"Qwen/Qwen3-32B",)") + kPlainMessages + kServerTail);
  EXPECT_EQ(r.left_out, (Words{"effort"}));
}

TEST(Encode, SglangGolden) {
  HttpRequest r = encoded(DialectName::sglang, full_request(), "deepseek-ai/DeepSeek-V3.2");
  std::string tail = kServerTail;
  tail.replace(tail.find("enable_thinking"), 15, "thinking");  // DeepSeek's chat template has its own word
  EXPECT_EQ(r.body, std::string(R"({"model":"deepseek-ai/DeepSeek-V3.2",)") + kPlainMessages + tail);
}

TEST(Encode, LlamaCppGolden) {
  HttpRequest r = encoded(DialectName::llamacpp, full_request(), "recite", "http://127.0.0.1:8080");
  EXPECT_EQ(r.url, "http://127.0.0.1:8080/v1/chat/completions");
  EXPECT_EQ(r.body, std::string(R"({"model":"recite",)") + kPlainMessages + kServerTail);
}

TEST(Encode, W22_TransformersGolden) {
  // It answers 422 to whatever it does not know.
  HttpRequest r = encoded(DialectName::transformers, full_request(), "Qwen/Qwen3-0.6B");
  EXPECT_EQ(r.body, std::string(R"({"model":"Qwen/Qwen3-0.6B",)") + kPlainMessages + R"(,"max_tokens":4096,"temperature":0.7,"top_p":0.95,"seed":5,"stream":true})");
  EXPECT_EQ(r.left_out, (Words{"top_k", "stop", "thinking off", "effort", "schema"}));
}

TEST(Encode, GatewayGolden) {
  HttpRequest r = encoded(DialectName::gateway, full_request(), "anthropic/claude-opus-4.5", "https://openrouter.example/api/v1");
  EXPECT_EQ(r.body,
            R"({"model":"anthropic/claude-opus-4.5","messages":[{"role":"system","content":[{"type":"text","text":"You write kernels.","cache_control":{"type":"ephemeral"}}]},)"
            R"({"role":"user","content":[{"type":"text","text":"Guide","cache_control":{"type":"ephemeral"}}]},{"role":"assistant","content":"Draft"},{"role":"user","content":"Again"}],)"
            R"("max_tokens":4096,"temperature":0.7,"top_k":40,"stop":["END"],"reasoning":{"enabled":false},)"
            R"("response_format":{"type":"json_schema","json_schema":{"name":"reply","schema":{"type":"object"}}},"stream":true,"stream_options":{"include_usage":true}})");
  EXPECT_EQ(r.left_out, (Words{"top_p", "seed", "effort"}));
}

TEST(Encode, W22_AnUnknownModelTakesNoSamplingUnlessConfigured) {
  ChatRequest q = simple_request();
  q.sampling = {0.5, 0.9, 10, 1, {}};
  for (DialectName d : {DialectName::anthropic, DialectName::openai, DialectName::deepseek, DialectName::gateway}) {
    HttpRequest r = encoded(d, q, "novel-9");
    for (const char* field : {"temperature", "top_p", "top_k", "seed"}) EXPECT_EQ(r.body.find(field), std::string::npos) << field << int(d);
    EXPECT_EQ(r.left_out, (Words{"temperature", "top_p", "top_k", "seed"})) << int(d);
  }
  Model told = model_of(DialectName::anthropic, "novel-9");
  told.can.sampling = true;
  auto r = dialect_of(DialectName::anthropic).encode(q, provider_at(DialectName::anthropic, "https://a.example"), told);
  EXPECT_NE(r->body.find("\"temperature\":0.5"), std::string::npos);
}

TEST(Encode, WhatIsNotSetIsNotSent) {
  ChatRequest q = simple_request();
  for (DialectName d : {DialectName::openai, DialectName::vllm, DialectName::llamacpp})
    EXPECT_EQ(encoded(d, q, "novel-9").body, R"({"model":"novel-9","messages":[{"role":"user","content":"Write a softmax."}],"max_tokens":1000,"stream":true,"stream_options":{"include_usage":true}})");
  EXPECT_EQ(encoded(DialectName::anthropic, q, "novel-9").body, R"({"model":"novel-9","max_tokens":1000,"messages":[{"role":"user","content":"Write a softmax."}],"stream":true})");
}

TEST(Encode, ATemperatureAboveTheModelsRangeIsLoweredAndTold) {
  ChatRequest q = simple_request();
  q.sampling.temperature = 1.1;  // KernelAgent's fourth seed
  HttpRequest r = encoded(DialectName::anthropic, q, "claude-sonnet-4-20250514");
  EXPECT_NE(r.body.find("\"temperature\":1.0"), std::string::npos) << r.body;
  EXPECT_EQ(r.left_out, (Words{"temperature 1.1 became 1"}));
}

TEST(Encode, ThinkingOfClaudeByModel) {
  ChatRequest q = simple_request();
  q.max_tokens = 8000;
  auto body = [&](const char* id) { return encoded(DialectName::anthropic, q, id); };
  q.thinking = Thinking::on;
  q.effort = "high";
  q.sampling.temperature = 0.5;
  EXPECT_NE(body("claude-sonnet-4-5").body.find(R"("thinking":{"type":"enabled","budget_tokens":6000})"), std::string::npos);
  EXPECT_EQ(body("claude-sonnet-4-5").left_out, (Words{"temperature"}));
  EXPECT_NE(body("claude-opus-4-7").body.find(R"("thinking":{"type":"adaptive"},"output_config":{"effort":"high"})"), std::string::npos);
  EXPECT_EQ(body("novel-9").left_out, (Words{"thinking on", "temperature", "effort"}));
  q.max_tokens = 900;  // no room for the least budget
  EXPECT_EQ(body("claude-sonnet-4-5").body.find("thinking"), std::string::npos);
  q.thinking = Thinking::off;
  q.effort = "";
  q.sampling.temperature.reset();
  EXPECT_EQ(body("claude-opus-4-7").body.find("thinking"), std::string::npos);  // off unless asked for
  EXPECT_NE(body("claude-opus-5").body.find(R"("thinking":{"type":"disabled"})"), std::string::npos);
  EXPECT_EQ(body("claude-opus-5-5").left_out, (Words{"thinking off"}));
}

TEST(Encode, TheModelsOwnLimitHolds) {
  ChatRequest q = simple_request();
  q.max_tokens = 30000;
  EXPECT_NE(encoded(DialectName::anthropic, q, "claude-3-5-haiku-latest").body.find("\"max_tokens\":8192"), std::string::npos);
  q.max_tokens = 0;
  EXPECT_NE(encoded(DialectName::anthropic, q, "claude-3-5-haiku-latest").body.find("\"max_tokens\":8192"), std::string::npos);
  EXPECT_EQ(encoded(DialectName::vllm, q, "m").body.find("max_tokens"), std::string::npos);
  auto r = dialect_of(DialectName::anthropic).encode(q, provider_at(DialectName::anthropic, "https://a.example"), model_of(DialectName::anthropic, "novel-9"));
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().code, Code::usage);
  EXPECT_NE(r.error().message.find("max_output"), std::string::npos);
}

TEST(Encode, AtMostFourMarksOfCaching) {
  ChatRequest q = simple_request();
  q.system = "S";
  q.messages.clear();
  for (int k = 0; k < 7; k++) q.messages.push_back({k % 2 ? Speaker::assistant : Speaker::user, "m" + std::to_string(k), true});
  for (auto [d, id] : {std::pair{DialectName::anthropic, "claude-opus-5"}, std::pair{DialectName::gateway, "anthropic/claude-opus-5"}}) {
    std::string body = encoded(d, q, id).body;
    size_t marks = 0;
    for (size_t at = body.find("cache_control"); at != body.npos; at = body.find("cache_control", at + 1)) marks++;
    EXPECT_EQ(marks, 4u);
    EXPECT_NE(body.find(R"("text":"m6","cache_control")"), std::string::npos);  // the longest prefix is among them
    EXPECT_NE(body.find(R"("text":"S","cache_control")"), std::string::npos);
  }
  EXPECT_EQ(encoded(DialectName::openai, q, "gpt-4o").body.find("cache_control"), std::string::npos);  // cached there unasked
}

TEST(Encode, WhatNoServerTakesIsRefusedHere) {
  auto refuse = [](const ChatRequest& q, DialectName d = DialectName::openai, const std::string& url = "https://a.example/v1") {
    auto r = dialect_of(d).encode(q, provider_at(d, url), model_of(d, "m"));
    return r ? std::string() : r.error().message;
  };
  ChatRequest q = simple_request();
  EXPECT_EQ(refuse(q), "");
  q.messages.push_back({Speaker::assistant, "and then", false});
  EXPECT_NE(refuse(q).find("softmax/generator/0/0/0 must begin and end"), std::string::npos);
  EXPECT_NE(refuse(q, DialectName::transformers), "");
  q.messages = {{Speaker::user, " \n", false}};
  EXPECT_NE(refuse(q).find("empty message"), std::string::npos);
  q.messages.clear();
  EXPECT_NE(refuse(q).find("no message"), std::string::npos);
  EXPECT_NE(refuse(simple_request(), DialectName::openai, "api.openai.com").find("base_url"), std::string::npos);
}

TEST(Encode, TextThatIsNoUtf8IsStillJson) {
  ChatRequest q = simple_request();
  q.messages[0].text = "bad \xff byte";
  EXPECT_TRUE(parse_json(encoded(DialectName::openai, q, "m").body));
}

TEST(Encode, GatewayEffortGoesIntoReasoning) {
  ChatRequest q = simple_request();
  q.effort = "low";
  EXPECT_NE(encoded(DialectName::gateway, q, "openai/gpt-5").body.find(R"("reasoning":{"effort":"low"})"), std::string::npos);
  EXPECT_EQ(encoded(DialectName::gateway, q, "novel/x").left_out, (Words{"effort"}));
  q.effort = "";
  q.thinking = Thinking::on;
  EXPECT_NE(encoded(DialectName::gateway, q, "novel/x").body.find(R"("reasoning":{"enabled":true})"), std::string::npos);
}

TEST(Capabilities, TheLongestPrefixWins) {
  EXPECT_EQ(capabilities_of(DialectName::anthropic, "claude-3-5-haiku-20241022").max_output, 8192);
  EXPECT_EQ(capabilities_of(DialectName::anthropic, "claude-3-haiku-20240307").max_output, 4096);
  EXPECT_TRUE(capabilities_of(DialectName::anthropic, "claude-opus-4-20250514").sampling);
  EXPECT_FALSE(capabilities_of(DialectName::anthropic, "claude-opus-4-8").sampling);
  EXPECT_EQ(capabilities_of(DialectName::openai, "gpt-4.1-mini").context, 1047576);
  EXPECT_EQ(capabilities_of(DialectName::openai, "gpt-4-0613").context, 8192);
  EXPECT_TRUE(capabilities_of(DialectName::openai, "gpt-5-chat-latest").sampling);
  EXPECT_FALSE(capabilities_of(DialectName::openai, "GPT-5-mini").sampling);
  EXPECT_FALSE(capabilities_of(DialectName::openai, "claude-3-5-haiku").sampling);  // not that vendor's
  EXPECT_TRUE(capabilities_of(DialectName::gateway, "anthropic/claude-sonnet-4.5").temperature_or_top_p);
  EXPECT_FALSE(capabilities_of(DialectName::gateway, "openai/gpt-5").max_completion_tokens);
}

TEST(Capabilities, AServerOfOnesOwnSamplesForEveryModel) {
  for (DialectName d : {DialectName::vllm, DialectName::sglang, DialectName::llamacpp, DialectName::transformers}) {
    EXPECT_TRUE(capabilities_of(d, "deepseek-ai/DeepSeek-V3.2").sampling);
    EXPECT_EQ(capabilities_of(d, "deepseek-ai/DeepSeek-V3.2").max_output, 0);
  }
  EXPECT_TRUE(capabilities_of(DialectName::vllm, "openai/gpt-oss-120b").effort);
}

}  // namespace
}  // namespace kbx::llm
