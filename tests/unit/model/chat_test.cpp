// model/chat: enum tables, and requests, replies and errors through JSON.
#include "model/chat.h"

#include <gtest/gtest.h>

namespace kbx {
namespace {

ChatRequest full_request() {
  ChatRequest r;
  r.id = {"softmax", "generator", 2, 3, 1};
  r.model = "v32";
  r.system = "You write kernels.";
  r.system_stable = false;
  r.messages = {{Speaker::user, "task", true}, {Speaker::assistant, "reply \xE2\x82\xAC", false}, {Speaker::user, "again", false}};
  r.sampling.temperature = 0.7;
  r.sampling.top_p = 0.95;
  r.sampling.top_k = 40;
  r.sampling.seed = -7;
  r.sampling.stop = {"END", "\n\n"};
  r.max_tokens = 30000;
  r.thinking = Thinking::on;
  r.effort = "high";
  r.schema = {{"type", "object"}};
  r.prompt = "geak/gen 12ab";
  return r;
}

TEST(Chat, CallIdAsText) { EXPECT_EQ(to_text(CallId{"softmax", "generator", 0, 2, 0}), "softmax/generator/0/2/0"); }

TEST(Chat, StopsAndFaultsAreTextAndBack) {
  for (int k = 0; k <= int(Stop::unknown); k++) EXPECT_EQ(stop_from_text(to_text(Stop(k))), Stop(k));
  for (int k = 0; k <= int(ApiFault::budget); k++) EXPECT_EQ(api_fault_from_text(to_text(ApiFault(k))), ApiFault(k));
  EXPECT_EQ(to_text(Stop::context_full), "context_full");
  EXPECT_EQ(to_text(Stop::aborted), "aborted");
  EXPECT_EQ(to_text(ApiFault::refused_by_us), "refused_by_us");
  EXPECT_EQ(to_text(ApiFault::rate), "rate");
  EXPECT_FALSE(stop_from_text("stop"));
  EXPECT_FALSE(api_fault_from_text(""));
}

TEST(Chat, ARequestComesBackFromItsJson) {
  ChatRequest r = full_request();
  Json json = *parse_json(dump_json(chat_request_json(r)));
  ChatRequest back = chat_request_from(json);
  EXPECT_EQ(back.id, r.id);
  EXPECT_EQ(back.messages.size(), 3u);
  EXPECT_EQ(back.messages[1].speaker, Speaker::assistant);
  EXPECT_TRUE(back.messages[0].stable);
  EXPECT_EQ(back.sampling.seed, -7);
  EXPECT_EQ(back.sampling.top_k, 40);
  EXPECT_EQ(back.sampling.stop, r.sampling.stop);
  EXPECT_EQ(back.thinking, Thinking::on);
  EXPECT_FALSE(back.system_stable);
  EXPECT_EQ(dump_json(chat_request_json(back)), dump_json(json));
}

TEST(Chat, WhatARequestDoesNotSetStaysUnset) {
  ChatRequest back = chat_request_from(*parse_json(dump_json(chat_request_json(ChatRequest{}))));
  EXPECT_FALSE(back.sampling.temperature || back.sampling.top_p || back.sampling.top_k || back.sampling.seed);
  EXPECT_EQ(back.thinking, Thinking::unset);
  EXPECT_TRUE(back.schema.is_null());
  EXPECT_EQ(dump_json(chat_request_json(back)), dump_json(chat_request_json(ChatRequest{})));
}

TEST(Chat, AbsentFieldsReadAsDefaultAndUnknownOnesPass) {
  ChatRequest r = chat_request_from(*parse_json(R"({"model":"m","later":{"a":1},"messages":[{"text":"hi","colour":"red"}],"max_tokens":"many"})"));
  EXPECT_EQ(r.model, "m");
  EXPECT_TRUE(r.system_stable);
  EXPECT_EQ(r.max_tokens, 0);
  ASSERT_EQ(r.messages.size(), 1u);
  EXPECT_EQ(r.messages[0].text, "hi");
  ChatReply reply = chat_reply_from(Json::object());
  EXPECT_EQ(reply.stop, Stop::unknown);
  EXPECT_EQ(reply.timing.tries, 1);
  EXPECT_EQ(api_error_from(Json(3)).fault, ApiFault::http);
}

TEST(Chat, ARepliesComesBackFromItsJson) {
  ChatReply r;
  r.text = "code";
  r.reasoning = "why";
  r.stop = Stop::length;
  r.raw_stop = "max_tokens";
  r.model_returned = "m-2";
  r.fingerprint = "fp";
  r.request_id = "req_1";
  r.usage = {1000, 800, 100, 50, 20, true};
  r.timing = {0.5, 1.5, 9.25, 3};
  ChatReply back = chat_reply_from(*parse_json(dump_json(chat_reply_json(r))));
  EXPECT_EQ(dump_json(chat_reply_json(back)), dump_json(chat_reply_json(r)));
  EXPECT_EQ(back.usage.in_cache_write, 100);
  EXPECT_TRUE(back.usage.estimated);
  EXPECT_EQ(back.timing.total, 9.25);
}

TEST(Chat, AnErrorComesBackFromItsJson) {
  ApiError e{ApiFault::rate, 429, "rate_limit_error", "slow down", 2.5, true, false, 4, Usage{10, 0, 0, 3, 0, true}};
  ApiError back = api_error_from(*parse_json(dump_json(api_error_json(e))));
  EXPECT_EQ(dump_json(api_error_json(back)), dump_json(api_error_json(e)));
  EXPECT_EQ(back.retry_after, 2.5);
  EXPECT_EQ(back.usage->out, 3);
  EXPECT_FALSE(api_error_from(api_error_json(ApiError{})).usage);
}

}  // namespace
}  // namespace kbx
