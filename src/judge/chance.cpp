// The inequalities of chance.h.
#include "judge/chance.h"

#include <algorithm>
#include <cmath>

namespace kbx::judge {
namespace {

const double kLog = std::log(2 / kFalseAlarm);

// x ln(x / y), 0 at x = 0.
double term(double x, double y) { return x > 0 ? x * std::log(x / y) : 0; }

}  // namespace

bool plausible_count(int64_t k, int64_t n, double q) {
  if (n == 0) return k == 0;
  if (q <= 0) return k == 0;
  if (q >= 1) return k == n;
  double x = double(k) / double(n);
  return double(n) * (term(x, q) + term(1 - x, 1 - q)) <= kLog;
}

double sum_bound(double variance_sum, double largest) {
  double linear = largest * kLog / 3;
  return linear + std::sqrt(linear * linear + 2 * variance_sum * kLog);
}

double product_bound(double squares, double largest) { return std::sqrt(2 * kLog * squares) + kLog * largest; }

double bernoulli_proxy(double q) {
  if (q <= 0 || q >= 1) return 0;
  double d = std::abs(1 - 2 * q);
  return d > 0 ? d / (4 * std::atanh(d)) : 0.25;  // ln((1 - q) / q) = 2 atanh(1 - 2q)
}

double cdf_bound(int64_t n) { return n > 0 ? std::sqrt(kLog / (2 * double(n))) : 1; }

std::vector<int64_t> test_distances(int64_t n, int64_t row) {
  std::vector<int64_t> all{1, row, n / 2};
  for (int64_t d = 32; d <= 65536; d *= 2) all.push_back(d);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::erase_if(all, [n](int64_t d) { return d < 1 || d >= n; });
  return all;
}

}  // namespace kbx::judge
