#include "llm/rate_gate.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "llm/http_words.h"

namespace kbx::llm {
namespace {

constexpr double kBurstSeconds = 10;
constexpr double kMostUnforeseen = 1e6;  // tokens of a call whose length nobody knew
constexpr double kLongestReset = 300;  // a limit by the day must not stop a run without a word: its 429 says so

std::optional<double> header_number(const Headers& headers, const std::string& name) {
  const std::string* text = header(headers, name);
  return text ? finite_number(trim(*text)) : std::nullopt;
}

// What was used beyond what was set aside; that much again at most: a server that counts nonsense must not stop its provider
// for ever.
double correction(double used, double set_aside) { return std::min(used - set_aside, set_aside > 0 ? set_aside : kMostUnforeseen); }

}  // namespace

TokenBucket::TokenBucket(double per_minute, double now) : rate_(per_minute / 60), size_(std::max(1.0, rate_ * kBurstSeconds)), level_(size_), at_(now) {}

void TokenBucket::refill(double now) {
  if (now > at_) level_ = std::min(size_, level_ + (now - at_) * rate_);
  at_ = std::max(at_, now);
}

double TokenBucket::wait(double need, double now) {
  double blocked = std::max(0.0, blocked_until_ - now);
  if (rate_ <= 0) return blocked;
  refill(now);
  double missing = std::min(need, size_) - level_;
  return std::max(blocked, missing <= 1e-9 ? 0 : missing / rate_);
}

void TokenBucket::take(double amount, double now) {
  refill(now);
  level_ = std::min(size_, level_ - amount);
}

void TokenBucket::observe(double remaining, double reset, double now) {
  refill(now);
  if (rate_ > 0) level_ = std::min(level_, std::max(remaining, 0.0));
  if (remaining < 1) blocked_until_ = std::max(blocked_until_, now + std::clamp(reset, 0.0, kLongestReset));
}

void Concurrency::succeeded() { limit_ = std::min(double(most_), limit_ + 1 / limit_); }

void Concurrency::congested(double begun, double now) {
  if (begun < decreased_at_) return;
  limit_ = std::max(1.0, limit_ / 2);
  decreased_at_ = now;
}

RateGate::RateGate(const Limits& limits, double now)
    : requests_(limits.requests_per_minute, now),
      in_(limits.input_tokens_per_minute, now),
      out_(limits.output_tokens_per_minute, now),
      concurrency_(std::max(1, limits.concurrency)) {}

std::optional<double> RateGate::wait(double in_tokens, double out_tokens, double now) {
  if (in_flight_ >= concurrency_.limit()) return std::nullopt;
  return std::max({requests_.wait(1, now), in_.wait(in_tokens, now), out_.wait(out_tokens, now), paused_until_ - now, 0.0});
}

void RateGate::sent(double in_tokens, double out_tokens, double now) {
  in_flight_++;
  requests_.take(1, now);
  in_.take(in_tokens, now);
  out_.take(out_tokens, now);
}

void RateGate::ended(double in_tokens, double out_tokens, const Usage* used, double now) {
  in_flight_--;
  if (!used) return;
  in_.take(correction(double(used->in - used->in_cached), in_tokens), now);
  out_.take(correction(double(used->out), out_tokens), now);
}

void RateGate::pause(double seconds, double now) { paused_until_ = std::max(paused_until_, now + seconds); }

void RateGate::observe(const Headers& headers, double now, double unix_now) {
  struct Kind {
    const char* name;
    TokenBucket RateGate::*bucket;
  };
  static constexpr std::array<Kind, 4> kKinds{{{"requests", &RateGate::requests_},
                                               {"input-tokens", &RateGate::in_},
                                               {"output-tokens", &RateGate::out_},
                                               {"tokens", &RateGate::in_}}};
  for (const Kind& kind : kKinds)
    for (bool vendor : {true, false}) {
      std::string name = kind.name;
      auto field = [&](const char* what) { return vendor ? "anthropic-ratelimit-" + name + "-" + what : std::string("x-ratelimit-") + what + "-" + name; };
      auto remaining = header_number(headers, field("remaining"));
      const std::string* reset = header(headers, field("reset"));
      if (remaining && reset)
        if (auto seconds = reset_seconds(*reset, unix_now)) (this->*kind.bucket).observe(*remaining, *seconds, now);
    }
}

std::optional<double> reset_seconds(std::string_view raw, double unix_now) {
  std::string text = trim(raw);
  if (auto plain = finite_number(text)) return *plain >= 0 ? plain : std::nullopt;
  if (auto date = date_seconds(text)) return std::max(0.0, *date - unix_now);
  double sum = 0;
  std::string_view rest = text;
  if (rest.empty()) return std::nullopt;
  while (!rest.empty()) {
    size_t digits = rest.find_first_not_of("0123456789.");
    if (digits == 0 || digits == rest.npos) return std::nullopt;
    auto amount = finite_number(rest.substr(0, digits));
    rest.remove_prefix(digits);
    size_t letters = std::min(rest.find_first_of("0123456789."), rest.size());
    std::string_view unit = rest.substr(0, letters);
    rest.remove_prefix(letters);
    double scale = unit == "ms" ? 1e-3 : unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : unit == "d" ? 86400 : 0;
    if (!amount || scale == 0) return std::nullopt;
    sum += *amount * scale;
  }
  return sum;
}

}  // namespace kbx::llm
