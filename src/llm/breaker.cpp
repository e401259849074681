#include "llm/breaker.h"

#include <cmath>

namespace kbx::llm {

void Breaker::failed(double begun, double now) {
  if (begun < opened_at_) return;
  failures_++;
  if (!on_trial() && failures_ < rules_.failures) return;
  open_until_ = now + std::min(rules_.most, rules_.first * std::exp2(openings_));
  opened_at_ = now;
  openings_++;
  failures_ = 0;
}

}  // namespace kbx::llm
