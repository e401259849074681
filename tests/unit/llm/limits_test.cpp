// The policies of a lane, with made-up clocks: backoff, buckets, concurrency, breaker, and the lane that holds them.
#include <gmock/gmock.h>

#include "llm/lane.h"

namespace kbx::llm {
namespace {

using testing::HasSubstr;

ApiError error_with(int http, std::optional<double> after = {}) {
  ApiError e;
  e.http = http;
  e.fault = http == 429 ? ApiFault::rate : http == 401 ? ApiFault::auth : ApiFault::http;
  e.retryable = http != 401 && http != 400;
  e.stops_provider = http == 401;
  e.retry_after = after;
  return e;
}

TEST(Backoff, GrowsToItsLimitAndChanceShortensIt) {
  BackoffRules rules{0.5, 60, 900};
  EXPECT_DOUBLE_EQ(*backoff_seconds(rules, error_with(500), 1, 9, 0), 0.5);
  EXPECT_DOUBLE_EQ(*backoff_seconds(rules, error_with(500), 3, 9, 0), 2);
  EXPECT_DOUBLE_EQ(*backoff_seconds(rules, error_with(500), 9, 9, 0), 60);
  EXPECT_DOUBLE_EQ(*backoff_seconds(rules, error_with(500), 60, 99, 0), 60);
  EXPECT_DOUBLE_EQ(*backoff_seconds(rules, error_with(500), 3, 9, 0.5), 2 * 0.875);
}

TEST(Backoff, WhatTheServerAsksIsWaitedForAndALittleMore) {
  BackoffRules rules;
  EXPECT_DOUBLE_EQ(*backoff_seconds(rules, error_with(429, 30), 1, 6, 0), 30);
  EXPECT_DOUBLE_EQ(*backoff_seconds(rules, error_with(429, 30), 1, 6, 0.5), 31);
  EXPECT_DOUBLE_EQ(*backoff_seconds(rules, error_with(429, 1), 1, 6, 0.5), 1.05);
  EXPECT_DOUBLE_EQ(*backoff_seconds(rules, error_with(429, 0), 1, 6, 0), 0.5);  // at once is no answer
  EXPECT_FALSE(backoff_seconds(rules, error_with(429, 901), 1, 6, 0));
}

TEST(Backoff, EndsWithTheTriesAndWhereNoTryHelps) {
  EXPECT_TRUE(backoff_seconds({}, error_with(500), 6, 6, 0));
  EXPECT_FALSE(backoff_seconds({}, error_with(500), 7, 6, 0));
  EXPECT_FALSE(backoff_seconds({}, error_with(400), 1, 6, 0));
  EXPECT_FALSE(backoff_seconds({}, error_with(401), 1, 6, 0));
}

TEST(TokenBucket, HoldsTenSecondsAndRefillsAtItsRate) {
  TokenBucket b(60, 0);  // one a second, ten at once
  for (int k = 0; k < 10; k++) {
    EXPECT_EQ(b.wait(1, 0), 0);
    b.take(1, 0);
  }
  EXPECT_DOUBLE_EQ(b.wait(1, 0), 1);
  EXPECT_DOUBLE_EQ(b.wait(1, 0.25), 0.75);
  EXPECT_EQ(b.wait(1, 1), 0);
  EXPECT_EQ(b.wait(10, 100), 0);
  EXPECT_EQ(TokenBucket(0, 0).wait(1e9, 0), 0);  // no limit
}

TEST(TokenBucket, ACallLargerThanTheBucketPassesWhenItIsFullAndIsPaidOffLater) {
  TokenBucket b(600, 0);  // ten a second, a hundred at once
  EXPECT_EQ(b.wait(1000, 0), 0);
  b.take(1000, 0);
  EXPECT_DOUBLE_EQ(b.wait(1, 0), 90.1);
  b.take(-950, 0);  // it took less
  EXPECT_EQ(b.wait(1, 0), 0);
}

TEST(TokenBucket, TheServersWordIsBelieved) {
  TokenBucket b(6000, 0);
  b.observe(20, 30, 0);
  EXPECT_DOUBLE_EQ(b.wait(120, 0), 1);
  b.observe(0, 7, 0);
  EXPECT_DOUBLE_EQ(b.wait(1, 0), 7);
  TokenBucket none(0, 0);
  none.observe(0, 7, 0);
  EXPECT_DOUBLE_EQ(none.wait(1, 2), 5);
  none.observe(0, 1e9, 10);
  EXPECT_DOUBLE_EQ(none.wait(1, 10), 300);
}

TEST(Concurrency, HalvesOncePerCongestionAndClimbsByOneARound) {
  Concurrency c(8);
  c.congested(0, 10);
  EXPECT_EQ(c.limit(), 4);
  c.congested(5, 11);  // sent before the decrease: the same congestion
  EXPECT_EQ(c.limit(), 4);
  for (int k = 0; k < 5; k++) c.succeeded();
  EXPECT_EQ(c.limit(), 5);
  c.congested(12, 13);
  EXPECT_EQ(c.limit(), 2);
  for (int k = 0; k < 4; k++) c.congested(14 + 2 * k, 15 + 2 * k);
  EXPECT_EQ(c.limit(), 1);
  for (int k = 0; k < 100; k++) c.succeeded();
  EXPECT_EQ(c.limit(), 8);
}

TEST(RateGate, ReadsTheHeadersOfBothVendors) {
  RateGate gate({}, 0);
  gate.observe({{"anthropic-ratelimit-output-tokens-remaining", "0"}, {"anthropic-ratelimit-output-tokens-reset", "1970-01-01T00:01:40Z"}}, 0, 90);
  EXPECT_DOUBLE_EQ(*gate.wait(1, 1, 0), 10);
  gate.observe({{"x-ratelimit-remaining-requests", "0"}, {"x-ratelimit-reset-requests", "1m12s"}}, 0, 90);
  EXPECT_DOUBLE_EQ(*gate.wait(1, 1, 0), 72);
  gate.observe({{"x-ratelimit-remaining-tokens", "no number"}, {"x-ratelimit-reset-tokens", "1h"}}, 0, 90);
  EXPECT_DOUBLE_EQ(*gate.wait(1, 1, 0), 72);
}

TEST(RateGate, ResetsInAllTheirForms) {
  EXPECT_DOUBLE_EQ(*reset_seconds("6m0s", 0), 360);
  EXPECT_DOUBLE_EQ(*reset_seconds("20ms", 0), 0.02);
  EXPECT_DOUBLE_EQ(*reset_seconds("1h2m3.5s", 0), 3723.5);
  EXPECT_DOUBLE_EQ(*reset_seconds("2.5", 0), 2.5);
  EXPECT_DOUBLE_EQ(*reset_seconds("1970-01-01T00:01:00Z", 45), 15);
  EXPECT_DOUBLE_EQ(*reset_seconds("1970-01-01T00:01:00Z", 75), 0);
  for (const char* nonsense : {"", "-3", "5x", "s", "1.2.3s", "soon", "inf"}) EXPECT_FALSE(reset_seconds(nonsense, 0)) << nonsense;
}

TEST(RateGate, TokensThatWereNotUsedAreGivenBackAndCachedOnesDoNotCount) {
  RateGate gate({.input_tokens_per_minute = 600, .output_tokens_per_minute = 600, .concurrency = 9}, 0);
  gate.sent(100, 100, 0);
  EXPECT_GT(*gate.wait(50, 50, 0), 0);
  Usage used{.in = 100, .in_cached = 60, .out = 20};
  gate.ended(100, 100, &used, 0);
  EXPECT_EQ(*gate.wait(60, 80, 0), 0);
  EXPECT_GT(*gate.wait(61, 80, 0), 0);
}

TEST(RateGate, ACountThatIsNonsenseStopsNobodyForEver) {
  RateGate gate({.input_tokens_per_minute = 600, .output_tokens_per_minute = 600, .concurrency = 9}, 0);
  gate.sent(100, 100, 0);
  Usage used{.in = int64_t(1) << 40, .out = int64_t(1) << 40};
  gate.ended(100, 100, &used, 0);
  EXPECT_LE(*gate.wait(1, 1, 0), 20);
  gate.sent(1, 0, 0);  // nobody knew how long its reply may be
  used.out = 6000;
  gate.ended(1, 0, &used, 0);
  EXPECT_GT(*gate.wait(1, 1, 0), 500);
}

TEST(Breaker, OpensCountsTrialsAndCloses) {
  Breaker b({3, 5, 12, 4});
  for (double t : {1.0, 1.1}) b.failed(t, t + 0.5);
  EXPECT_FALSE(b.on_trial());
  b.failed(1.2, 2);
  EXPECT_DOUBLE_EQ(b.wait(2), 5);
  b.failed(1.3, 3);  // was on its way when it opened
  EXPECT_DOUBLE_EQ(b.wait(3), 4);
  b.failed(7, 8);  // the trial
  EXPECT_DOUBLE_EQ(b.wait(8), 10);
  b.failed(18, 19);
  EXPECT_DOUBLE_EQ(b.wait(19), 12);
  EXPECT_FALSE(b.gone());
  b.failed(31, 32);
  EXPECT_TRUE(b.gone());
  b.succeeded();
  EXPECT_FALSE(b.gone());
  EXPECT_EQ(b.wait(32), 0);
}

Provider provider(int concurrency) {
  Provider p;
  p.name = "claude";
  p.key_env = "SOME_KEY";
  p.limits.concurrency = concurrency;
  p.retries = 2;
  return p;
}

struct LaneAt {
  Lane lane;
  std::string notice;
  explicit LaneAt(int concurrency) : lane(provider(concurrency), {1, 60, 900}, {2, 5, 100, 3}, 0) {
    for (uint64_t k = 1; k <= 4; k++) lane.add({k, 10, 10, 0});
  }
  // Number of the call that goes out; 0 = none.
  uint64_t next(double now, double* wake = nullptr) {
    double at = 1e9;
    auto ticket = lane.next(now, at);
    if (wake) *wake = at;
    if (ticket) last = *ticket;
    return ticket ? ticket->call : 0;
  }
  bool ended(Ticket t, ChatResult result, double begun, double now, const Headers& headers = {}) { return lane.ended(t, begun, result, headers, now, 0, 0, notice); }
  Ticket last;
};

TEST(Lane, IsFirstComeFirstServedUpToItsConcurrency) {
  LaneAt at(2);
  EXPECT_EQ(at.next(0), 1u);
  Ticket first = at.last;
  EXPECT_EQ(at.next(0), 2u);
  EXPECT_EQ(at.next(0), 0u);
  EXPECT_FALSE(at.ended(first, ChatReply{}, 0, 1));
  EXPECT_EQ(at.next(1), 3u);
}

TEST(Lane, AFailedCallComesBackBeforeNewOnesWhenItsTimeHasCome) {
  LaneAt at(1);
  at.next(0);
  EXPECT_TRUE(at.ended(at.last, error_with(500), 0, 1));
  EXPECT_THAT(at.notice, HasSubstr("claude: HTTP 500; asked again in 1.0 s (try 2 of 3)"));
  EXPECT_EQ(at.next(1.5), 2u);
  EXPECT_FALSE(at.ended(at.last, ChatReply{}, 1.5, 2));
  EXPECT_EQ(at.next(2.5), 1u);
  EXPECT_EQ(at.last.tries, 1);
}

TEST(Lane, RetryAfterPausesEveryCallOfTheProvider) {
  LaneAt at(4);
  at.next(0);
  EXPECT_TRUE(at.ended(at.last, error_with(429, 20), 0, 1));
  double wake = 0;
  EXPECT_EQ(at.next(2, &wake), 0u);
  EXPECT_DOUBLE_EQ(wake, 21);
  EXPECT_NE(at.next(21.5), 0u);
  EXPECT_EQ(at.lane.gate().limit(), 2);
}

TEST(Lane, ARefusedKeyStopsIt) {
  LaneAt at(1);
  at.next(0);
  EXPECT_FALSE(at.ended(at.last, error_with(401), 0, 1));
  ASSERT_TRUE(at.lane.stopped());
  EXPECT_THAT(at.notice, HasSubstr("provider claude is asked no more: HTTP 401; check the key in SOME_KEY"));
  EXPECT_EQ(at.next(2), 0u);
  EXPECT_EQ(at.lane.take_all(), (std::vector<uint64_t>{2, 3, 4}));
}

TEST(Lane, AnOutageLeavesOneCallAtATimeUntilOneSucceeds) {
  LaneAt at(4);
  Ticket tickets[2];
  for (Ticket& t : tickets) {
    at.next(0);
    t = at.last;
  }
  for (const Ticket& t : tickets) EXPECT_TRUE(at.ended(t, error_with(500), 0, 1));  // two in succession: open for 5 s
  double wake = 0;
  EXPECT_EQ(at.next(3, &wake), 0u);
  EXPECT_DOUBLE_EQ(wake, 6);
  EXPECT_NE(at.next(6.5), 0u);
  EXPECT_EQ(at.next(6.5), 0u) << "one trial at a time";
  EXPECT_FALSE(at.ended(at.last, ChatReply{}, 6.5, 7));
  EXPECT_NE(at.next(7), 0u);
  EXPECT_NE(at.next(7), 0u);
}

TEST(Lane, ACallThatWaitsCanBeTakenOut) {
  LaneAt at(1);
  EXPECT_TRUE(at.lane.remove(1));
  EXPECT_FALSE(at.lane.remove(1));
  EXPECT_EQ(at.next(0), 2u);
  EXPECT_TRUE(at.ended(at.last, error_with(500), 0, 1));
  EXPECT_TRUE(at.lane.remove(2));
  EXPECT_EQ(at.lane.take_all(), (std::vector<uint64_t>{3, 4}));
}

}  // namespace
}  // namespace kbx::llm
