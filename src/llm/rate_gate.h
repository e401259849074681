// RateGate: when may a call go out to one provider. Pure: the time is an argument (seconds of any steady clock, never
// going back), and the same history always gives the same answers.
#pragma once
#include <optional>

#include "llm/dialect.h"
#include "llm/provider.h"

namespace kbx::llm {

// A token bucket that may go into debt: a call larger than the bucket passes when the bucket is full. It holds ten seconds'
// worth: a server that counts by whole minutes sees at most 7/6 of the limit in its first one.
class TokenBucket {
 public:
  TokenBucket(double per_minute, double now);
  double wait(double need, double now);  // seconds; 0 = now
  void take(double amount, double now);  // negative: given back
  // The server says what is left for the time until its reset: we have no more than that.
  void observe(double remaining, double reset_seconds, double now);

 private:
  void refill(double now);
  double rate_, size_, level_, at_;  // rate_: per second, 0 = no limit of ours
  double blocked_until_ = 0;
};

// Additive increase, multiplicative decrease of the number of calls at a time.
class Concurrency {
 public:
  explicit Concurrency(int most) : most_(most), limit_(most) {}
  int limit() const { return int(limit_); }
  // A call came back. `begun`: when it had been sent; failures of calls that were sent before the last decrease belong to
  // the same congestion and count once.
  void succeeded();
  void congested(double begun, double now);

 private:
  int most_;
  double limit_;
  double decreased_at_ = -1e300;
};

class RateGate {
 public:
  RateGate(const Limits& limits, double now);

  // Seconds until a call of so many tokens may go out; 0 = now. nullopt: not before another one has come back.
  std::optional<double> wait(double in_tokens, double out_tokens, double now);
  void sent(double in_tokens, double out_tokens, double now);
  // The call that had been sent with these tokens ended. `used`: what it really took, where that is known; tokens read
  // from a cache do not count against a limit of input.
  void ended(double in_tokens, double out_tokens, const Usage* used, double now);
  void succeeded() { concurrency_.succeeded(); }
  void congested(double begun, double now) { concurrency_.congested(begun, now); }
  // Nothing goes out for so long.
  void pause(double seconds, double now);
  // anthropic-ratelimit-* and x-ratelimit-*. `unix_now` for resets that are dates.
  void observe(const Headers& headers, double now, double unix_now);

  int limit() const { return concurrency_.limit(); }
  int in_flight() const { return in_flight_; }

 private:
  TokenBucket requests_, in_, out_;
  Concurrency concurrency_;
  int in_flight_ = 0;
  double paused_until_ = 0;
};

// "1s", "6m0s", "1h2m", "20ms", "2.5" (seconds) or a date; nullopt for anything else.
std::optional<double> reset_seconds(std::string_view text, double unix_now);

}  // namespace kbx::llm
