#include "stats/pass_at_k.h"

#include "base/check.h"

namespace kbx::stats {

std::optional<double> pass_at_k(int64_t n, int64_t c, int64_t k) {
  KBX_CHECK(c >= 0 && c <= n);
  if (k <= 0 || k > n) return std::nullopt;
  if (n - c < k) return 1.0;
  double none = 1;  // the product form avoids huge binomials
  for (int64_t i = n - c + 1; i <= n; i++) none *= 1 - double(k) / double(i);
  return 1 - none;
}

}  // namespace kbx::stats
