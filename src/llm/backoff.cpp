#include "llm/backoff.h"

#include <algorithm>
#include <cmath>

namespace kbx::llm {

std::optional<double> backoff_seconds(const BackoffRules& rules, const ApiError& error, int tries, int retries, double chance) {
  if (!error.retryable || error.stops_provider || tries > retries) return std::nullopt;
  if (error.retry_after) {
    double asked = std::max(0.0, *error.retry_after);
    if (!(asked <= rules.longest_asked)) return std::nullopt;
    if (asked > 0) return asked + chance * std::min(2.0, asked / 10);
  }
  double wait = std::min(rules.most, rules.first * std::exp2(std::min(tries - 1, 30)));
  return wait * (1 - chance / 4);
}

}  // namespace kbx::llm
