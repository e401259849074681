// Breaker: a provider that answers nothing is asked less and less, and in the end no more. Pure: the time is an argument.
#pragma once
#include <algorithm>

namespace kbx::llm {

struct BreakerRules {
  int failures = 8;               // in succession, until it opens
  double first = 5, most = 120;   // seconds that it stays open: first x 2^openings, at most `most`
  int openings = 12;              // in succession, until the provider counts as gone (with the numbers above: 17 minutes)
};

// closed: calls pass. open: none does. half open: one at a time does, as a trial; it closes on success.
class Breaker {
 public:
  explicit Breaker(BreakerRules rules) : rules_(rules) {}
  // Any answer of the server's own closes it: a refusal is a sign of life.
  void succeeded() { failures_ = openings_ = 0; }
  // The server could not be reached, broke off, or was not able (5xx). `begun`: when the call had been sent; calls that were
  // sent before it opened say nothing new.
  void failed(double begun, double now);
  double wait(double now) const { return openings_ ? std::max(0.0, open_until_ - now) : 0; }
  bool on_trial() const { return openings_ > 0; }
  bool gone() const { return openings_ >= rules_.openings; }

 private:
  BreakerRules rules_;
  int failures_ = 0, openings_ = 0;
  double opened_at_ = -1e300, open_until_ = 0;
};

}  // namespace kbx::llm
