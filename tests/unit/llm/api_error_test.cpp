// What refusals mean: status, bodies of every kind, how long to wait, secrets.
#include "llm/api_error.h"

#include "llm/http_words.h"
#include "samples.h"

namespace kbx::llm {
namespace {

ApiError refused(int status, const std::string& body, Headers headers = {}) {
  return error(DialectName::openai, {.status = status, .headers = std::move(headers), .body = body});
}

TEST(ApiErrors, StatusesSayWhatMayBeTriedAgain) {
  struct Row {
    int status;
    ApiFault fault;
    bool retryable, stops;
  };
  for (const Row& r : {Row{400, ApiFault::invalid, false, false}, Row{401, ApiFault::auth, false, true}, Row{402, ApiFault::billing, false, true}, Row{403, ApiFault::auth, false, true},
                       Row{404, ApiFault::invalid, false, false}, Row{408, ApiFault::timeout, true, false}, Row{409, ApiFault::http, true, false}, Row{413, ApiFault::too_large, false, false},
                       Row{422, ApiFault::invalid, false, false}, Row{429, ApiFault::rate, true, false}, Row{500, ApiFault::http, true, false}, Row{502, ApiFault::http, true, false},
                       Row{503, ApiFault::overloaded, true, false}, Row{504, ApiFault::timeout, true, false}, Row{529, ApiFault::overloaded, true, false}}) {
    ApiError e = refused(r.status, R"({"error":{"message":"m","type":"t"}})");
    EXPECT_EQ(e.fault, r.fault) << r.status;
    EXPECT_EQ(e.retryable, r.retryable) << r.status;
    EXPECT_EQ(e.stops_provider, r.stops) << r.status;
    EXPECT_EQ(e.http, r.status);
    EXPECT_EQ(e.message, "m");
  }
}

TEST(ApiErrors, W17_OverloadWithoutHeaders) {
  for (int status : {529, 503}) {
    ApiError e = error(DialectName::anthropic, {.status = status, .headers = {}, .body = R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})"});
    EXPECT_EQ(e.fault, ApiFault::overloaded);
    EXPECT_TRUE(e.retryable);
    EXPECT_FALSE(e.retry_after);
  }
}

TEST(ApiErrors, ShouldRetryIsObeyedButNotAgainstAKey) {
  EXPECT_FALSE(refused(500, "", {{"x-should-retry", "false"}}).retryable);
  EXPECT_TRUE(refused(400, "", {{"x-should-retry", "true"}}).retryable);
  EXPECT_FALSE(refused(401, "", {{"x-should-retry", "true"}}).retryable);
}

TEST(ApiErrors, AnEmptyAccountStopsTheProviderWhateverTheStatus) {
  for (auto [status, body] : {std::pair{429, R"({"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}})"},
                              std::pair{400, R"({"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}})"},
                              std::pair{402, R"({"error":{"message":"Insufficient Balance"}})"}}) {
    ApiError e = refused(status, body);
    EXPECT_EQ(e.fault, ApiFault::billing);
    EXPECT_TRUE(e.stops_provider);
    EXPECT_FALSE(e.retryable);
  }
  EXPECT_EQ(refused(429, R"({"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}})").fault, ApiFault::rate);
}

TEST(ApiErrors, APromptThatIsTooLong) {
  for (const char* body : {R"({"error":{"message":"m","type":"invalid_request_error","code":"context_length_exceeded"}})",
                           R"({"error":{"code":400,"message":"request (9 tokens) exceeds","type":"exceed_context_size_error","n_prompt_tokens":9,"n_ctx":8}})",
                           R"({"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}})",
                           R"({"object":"error","message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","param":null,"code":400})"})
    EXPECT_EQ(refused(400, body).fault, ApiFault::too_large) << body;
}

TEST(ApiErrors, W15_BodiesOfEveryKind) {
  EXPECT_EQ(refused(502, "").message, "(no body)");
  EXPECT_EQ(refused(502, "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>").message, "an HTML page: 502 Bad Gateway");
  EXPECT_EQ(refused(502, "<p>no <b>title</b></p>").message, "an HTML page: no title");
  EXPECT_EQ(refused(500, "upstream connect error").message, "upstream connect error");
  EXPECT_EQ(refused(400, R"({"error":{"message":"cut in the mid)").message, R"({"error":{"message":"cut in the mid)");
  EXPECT_EQ(refused(400, R"("just a string")").message, "just a string");
  EXPECT_EQ(refused(400, R"({"error":"a string"})").message, "a string");
  EXPECT_EQ(refused(422, R"({"detail":"Unexpected keys in the request: {'n'}"})").message, "Unexpected keys in the request: {'n'}");
  EXPECT_EQ(refused(422, R"({"detail":[{"loc":["body","x"],"msg":"field required"}]})").message, R"([{"loc":["body","x"],"msg":"field required"}])");
  EXPECT_EQ(refused(400, R"([{"error":{"code":400,"message":"in a list","status":"INVALID_ARGUMENT"}}])").message, "in a list");
  EXPECT_EQ(refused(500, R"({"weird":1})").message, R"({"weird":1})");
  EXPECT_EQ(refused(500, std::string("\x1f\x8b\x08\x00\x01", 5)).message, "(a compressed body)");
  EXPECT_EQ(refused(500, "bytes \xff\x1b[31m").message, "bytes \xEF\xBF\xBD?[31m");
  EXPECT_EQ(refused(404, R"({"error":{"message":"The model does not exist","type":"invalid_request_error","code":"model_not_found"}})").type, "invalid_request_error");
}

TEST(ApiErrors, AHugeRefusalIsBounded) {
  EXPECT_LE(refused(500, std::string(10 << 20, 'x')).message.size(), 2100u);
}

TEST(ApiErrors, W16_RetryAfterInAllItsForms) {
  auto after = [](Headers h, double now = 0) { return retry_after_of(h, now); };
  EXPECT_EQ(after({{"retry-after", "7"}}), 7);
  EXPECT_EQ(after({{"retry-after", " 1.5 "}}), 1.5);
  EXPECT_EQ(after({{"retry-after-ms", "250"}, {"retry-after", "7"}}), 0.25);
  EXPECT_EQ(after({{"retry-after-ms", "soon"}, {"retry-after", "7"}}), 7);
  EXPECT_EQ(after({{"retry-after", "0"}}), 0);
  EXPECT_EQ(after({{"retry-after", "86400000"}}), 86400000);
  EXPECT_FALSE(after({{"retry-after", "-3"}}));
  EXPECT_FALSE(after({{"retry-after", "soon"}}));
  EXPECT_FALSE(after({{"retry-after", ""}}));
  EXPECT_FALSE(after({{"retry-after", "inf"}}));
  EXPECT_FALSE(after({{"retry-after", "nan"}}));
  EXPECT_FALSE(after({}));
  const double then = 784111777;  // RFC 9110's own example
  for (const char* date : {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"}) {
    EXPECT_EQ(date_seconds(date), then) << date;
    EXPECT_EQ(after({{"retry-after", date}}, then - 30), 30) << date;
    EXPECT_EQ(after({{"retry-after", date}}, then + 30), 0) << date;
  }
  // The server's own clock, not ours.
  EXPECT_EQ(after({{"date", "Sun, 06 Nov 1994 08:49:27 GMT"}, {"retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"}}, then + 5000), 10);
  EXPECT_FALSE(after({{"retry-after", "Sun, 06 Nov 1994 25:49:37 GMT"}}));
  EXPECT_FALSE(after({{"retry-after", "Sun, 06 Foo 1994 08:49:37 GMT"}}));
  EXPECT_EQ(date_seconds("1994-11-06T08:49:37Z"), then);
  EXPECT_EQ(date_seconds("2000-02-29T00:00:00Z"), 951782400);
  EXPECT_EQ(refused(429, "", {{"retry-after", "12"}}).retry_after, 12);
}

TEST(ApiErrors, W23_ARedirectIsNotFollowed) {
  ApiError e = refused(307, "", {{"location", "https://elsewhere.example/v1"}});
  EXPECT_EQ(e.fault, ApiFault::refused_by_us);
  EXPECT_FALSE(e.retryable);
  EXPECT_NE(e.message.find("https://elsewhere.example/v1"), std::string::npos);
  EXPECT_NE(e.message.find("base_url"), std::string::npos);
}

TEST(ApiErrors, KeysInMessagesAreHidden) {
  EXPECT_EQ(without_secrets("Incorrect API key provided: sk-proj-AbC*****xyz9. Find it"), "Incorrect API key provided: [key] Find it");
  EXPECT_EQ(without_secrets("authorization: Bearer abcdefghijk, more"), "authorization: [key], more");
  EXPECT_EQ(without_secrets("task-force and sk-ip"), "task-force and sk-ip");
  EXPECT_EQ(refused(401, R"({"error":{"message":"bad key sk-ant-REDACTED","type":"authentication_error"}})").message, "bad key [key]");
}

}  // namespace
}  // namespace kbx::llm
