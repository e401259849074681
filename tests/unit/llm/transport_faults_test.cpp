// The faults of the wire, against a real server on loopback: what becomes of each, over both protocols.
#include "client_at.h"

#include <algorithm>

namespace kbx::llm {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using faults::kText;

constexpr auto kBoth = {DialectName::anthropic, DialectName::openai};

// A reply at the first try, whatever the stream looks like.
class FineReply : public testing::TestWithParam<const char*> {};
TEST_P(FineReply, ComesWholeOverBothProtocols) {
  for (DialectName dialect : kBoth) {
    ClientAt at(GetParam(), dialect);
    ChatReply reply = at.reply();
    EXPECT_EQ(reply.text, GetParam() == std::string("interleaved") && dialect == DialectName::anthropic ? "ab" : kText);
    EXPECT_EQ(reply.stop, Stop::end);
    EXPECT_EQ(reply.usage.in, 11);
    EXPECT_EQ(reply.usage.out, 7);
    EXPECT_EQ(reply.timing.tries, 1);
    EXPECT_GT(reply.timing.total, 0);
    EXPECT_THAT(at.notices(), IsEmpty());
  }
}
INSTANTIATE_TEST_SUITE_P(W, FineReply,
                         testing::Values("ok", "bytewise" /* W10 */, "cut-letter" /* W10 */, "crlf" /* W9 */, "cr" /* W9 */, "bom" /* W11 */, "comments" /* W8 */, "unknown-types" /* W12, W13 */,
                                         "interleaved" /* W20 */, "blank-lines" /* W7 */, "no-done" /* W5 */),
                         [](const auto& p) {
                           std::string name = p.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// A fault at the first try, a reply at the second.
class FaultOnce : public testing::TestWithParam<const char*> {};
TEST_P(FaultOnce, IsTriedAgain) {
  for (DialectName dialect : kBoth) {
    ClientAt at(GetParam(), dialect);
    ChatReply reply = at.reply();
    EXPECT_EQ(reply.text, kText);
    EXPECT_EQ(reply.timing.tries, 2);
    EXPECT_EQ(at.requests(), 2u);
    ASSERT_EQ(at.notices().size(), 1u);
    EXPECT_THAT(at.notices()[0], HasSubstr("try 2 of 3"));
  }
}
INSTANTIATE_TEST_SUITE_P(W, FaultOnce,
                         testing::Values("cut" /* W6 */, "reset" /* W6 */, "reset-at-once", "error-in-stream" /* W14 */, "html" /* W15 */, "empty" /* W15 */, "overloaded" /* W17 */, "rate",
                                         "rate-negative" /* W16 */, "rate-past" /* W16 */, "conflict", "timeout-408"),
                         [](const auto& p) {
                           std::string name = p.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(TransportFaults, W06_WhatACutTryUsedIsCountedAsEstimated) {
  ChatReply reply = ClientAt("cut", DialectName::anthropic).reply();
  EXPECT_GT(reply.usage.in, 11);
  EXPECT_TRUE(reply.usage.estimated);
}

TEST(TransportFaults, W06_AStreamThatIsAlwaysCutEndsAsAnError) {
  ClientAt at("always-cut");
  ApiError error = at.error();
  EXPECT_EQ(error.fault, ApiFault::cut);
  EXPECT_EQ(error.tries, 3);
  EXPECT_EQ(at.requests(), 3u);
  ASSERT_TRUE(error.usage);
  EXPECT_GT(error.usage->out, 0);
}

TEST(TransportFaults, W14_AnErrorThatIsAStringIsAnError) { EXPECT_THAT(ClientAt("error-string").error().message, HasSubstr("out of memory")); }

TEST(TransportFaults, W15_ACompressedErrorIsRead) {
  ApiError error = ClientAt("zipped").error();
  EXPECT_EQ(error.fault, ApiFault::rate);
  EXPECT_THAT(error.message, HasSubstr("slow down, please"));
}

TEST(TransportFaults, W16_AWaitOfADayIsNotWaitedFor) {
  ClientAt at("rate-huge");
  ApiError error = at.error();
  EXPECT_EQ(error.fault, ApiFault::rate);
  EXPECT_EQ(error.retry_after, 86400);
  EXPECT_EQ(at.requests(), 1u);
}

TEST(TransportFaults, W16_RetryAfterIsWaitedFor) {
  ClientAt at("rate");
  auto begin = Steady::now();
  at.reply();
  EXPECT_GE(seconds_since(begin), 0.2);
}

TEST(TransportFaults, W17_AServerThatStaysOverloadedEndsTheCallWithItsWord) {
  ApiError error = ClientAt("always-overloaded").error();
  EXPECT_EQ(error.fault, ApiFault::overloaded);
  EXPECT_EQ(error.http, 529);
  EXPECT_EQ(error.tries, 3);
}

TEST(TransportFaults, W22_AStrictServerIsSentNothingThatItRejects) { EXPECT_EQ(ClientAt("strict", DialectName::transformers).reply().text, kText); }

TEST(TransportFaults, W23_NoRedirectIsFollowedAndTheKeyGoesNowhere) {
  for (DialectName dialect : kBoth) {
    ClientAt at("redirect", dialect);
    ApiError error = at.error();
    EXPECT_EQ(error.fault, ApiFault::refused_by_us);
    EXPECT_THAT(error.message, HasSubstr("/stolen/v1"));
    for (const faults::Seen& seen : at.server().seen()) EXPECT_EQ(seen.place, "redirect");
    EXPECT_EQ(at.requests(), 1u);
  }
}

TEST(TransportFaults, W24_KeepAlivesDoNotCountAsAFirstToken) {
  for (DialectName dialect : kBoth) {
    ClientAt at("never-begins", dialect, [](Provider& p, TransportOptions&) {
      p.deadlines.first_token = 0.3;
      p.retries = 0;
    });
    ApiError error = at.error();
    EXPECT_EQ(error.fault, ApiFault::timeout);
    EXPECT_THAT(error.message, HasSubstr("no text within 0.3 s"));
  }
}

TEST(TransportFaults, W24_KeepAlivesDoNotCountAsPayload) {
  for (DialectName dialect : kBoth) {
    ClientAt at("stands-still", dialect, [](Provider& p, TransportOptions&) {
      p.deadlines.idle = 0.3;
      p.retries = 0;
    });
    ApiError error = at.error();
    EXPECT_EQ(error.fault, ApiFault::timeout);
    EXPECT_THAT(error.message, HasSubstr("stood still for 0.3 s"));
    ASSERT_TRUE(error.usage);
    EXPECT_TRUE(error.usage->estimated);
    EXPECT_GT(error.usage->out, 0);
  }
}

TEST(TransportFaults, AWholeReplyOfAServerThatDoesNotHangUpIsAReply) {
  ClientAt at("no-end", DialectName::openai, [](Provider& p, TransportOptions&) { p.deadlines.idle = 0.3; });
  EXPECT_EQ(at.reply().text, kText);
}

TEST(TransportFaults, ASilentServerIsGivenUp) {
  ClientAt at("silent", DialectName::openai, [](Provider& p, TransportOptions&) {
    p.deadlines.total = 0.3;
    p.retries = 1;
  });
  ApiError error = at.error();
  EXPECT_EQ(error.fault, ApiFault::timeout);
  EXPECT_EQ(error.tries, 2);
  ASSERT_TRUE(error.usage);
  EXPECT_TRUE(error.usage->estimated);
}

TEST(TransportFaults, AnAnswerWithoutEndIsCutOffAtTheCap) {
  ClientAt at("endless", DialectName::openai, [](Provider&, TransportOptions& o) { o.most_bytes = 1 << 20; });
  ApiError error = at.error();
  EXPECT_EQ(error.fault, ApiFault::protocol);
  EXPECT_THAT(error.message, HasSubstr("more than 1 MiB"));
  EXPECT_EQ(error.tries, 1);
}

TEST(TransportFaults, ABadRequestIsNotTriedAgainAndStopsNobody) {
  ClientAt at("bad-request");
  ApiError error = at.error();
  EXPECT_EQ(error.fault, ApiFault::invalid);
  EXPECT_FALSE(error.stops_provider);
  EXPECT_EQ(error.tries, 1);
  EXPECT_EQ(at.error(1).fault, ApiFault::invalid);
  EXPECT_EQ(at.requests(), 2u);
}

TEST(TransportFaults, ARefusedKeyStopsTheProviderWithOneSentence) {
  for (const char* scenario : {"bad-key", "no-money", "forbidden"}) {
    ClientAt at(scenario, DialectName::anthropic, [](Provider& p, TransportOptions&) {
      p.key_env = "SOME_KEY";
      p.limits.concurrency = 1;
    });
    for (int slot = 0; slot < 5; slot++) at.start(slot);
    for (int slot = 0; slot < 5; slot++) {
      Exchange e = at.wait(slot);
      auto* error = std::get_if<ApiError>(&e.result);
      ASSERT_TRUE(error);
      EXPECT_TRUE(error->stops_provider);
    }
    EXPECT_EQ(at.requests(), 1u) << "no other call is made";
    ASSERT_EQ(at.notices().size(), 1u);
    EXPECT_THAT(at.notices()[0], HasSubstr("provider p is asked no more: HTTP 40"));
    if (scenario == std::string("bad-key")) EXPECT_THAT(at.notices()[0], HasSubstr("check the key in SOME_KEY"));
  }
}

TEST(TransportFaults, AServerThatIsNotThereIsAFaultOfConnection) {
  ClientAt at("ok", DialectName::openai, [](Provider& p, TransportOptions&) {
    p.base_url = "http://127.0.0.1:1/v1";
    p.retries = 1;
  });
  ApiError error = at.error();
  EXPECT_EQ(error.fault, ApiFault::connect);
  EXPECT_EQ(error.tries, 2);
  EXPECT_FALSE(error.usage);
}

TEST(TransportFaults, AServerThatIsGoneForLongEndsAllCalls) {
  ClientAt at("ok", DialectName::openai, [](Provider& p, TransportOptions& o) {
    p.base_url = "http://127.0.0.1:1/v1";
    p.retries = 100;
    o.breaker = {2, 0.01, 0.02, 3};
  });
  for (int slot = 0; slot < 20; slot++) at.start(slot);
  for (int slot = 0; slot < 20; slot++) {
    Exchange e = at.wait(slot);
    auto* error = std::get_if<ApiError>(&e.result);
    ASSERT_TRUE(error);
    EXPECT_TRUE(error->stops_provider);
    EXPECT_THAT(error->message, HasSubstr("has not answered for a long time"));
  }
}

}  // namespace
}  // namespace kbx::llm
