#include "stats/special.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "base/check.h"

namespace kbx::stats {
namespace {

constexpr double kTiny = 1e-300, kEnough = 1e-16;
constexpr int kMost = 100000;

double log_gamma(double x) {
  int sign = 0;
  return lgamma_r(x, &sign);  // std::lgamma writes a global
}

// One step of Lentz's method for b0 + a1/(b1 + a2/(b2 + ...)).
struct Lentz {
  double f, c, d = 0;
  explicit Lentz(double b0) : f(b0 == 0 ? kTiny : b0), c(f) {}
  bool step(double a, double b) {
    d = b + a * d;
    if (d == 0) d = kTiny;
    c = b + a / c;
    if (c == 0) c = kTiny;
    d = 1 / d;
    f *= c * d;
    return std::abs(c * d - 1) < kEnough;
  }
};

double beta_fraction(double a, double b, double x) {
  double scale = std::exp(a * std::log(x) + b * std::log1p(-x) + log_gamma(a + b) - log_gamma(a) - log_gamma(b)) / a;
  Lentz fraction(0);
  if (fraction.step(1, 1)) return scale * fraction.f;
  for (int m = 0; m < kMost; m++) {
    if (m > 0 && fraction.step(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), 1)) break;
    if (fraction.step(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), 1)) break;
  }
  return scale * fraction.f;
}

}  // namespace

double gamma_upper(double a, double x) {
  KBX_CHECK(a > 0 && x >= 0);
  if (x == 0) return 1;
  double front = std::exp(a * std::log(x) - x - log_gamma(a));
  if (x < a + 1) {
    double term = 1 / a, sum = term;
    for (int n = 1; n < kMost && term > sum * kEnough; n++) sum += term *= x / (a + n);
    return 1 - front * sum;
  }
  Lentz fraction(x + 1 - a);
  for (int n = 1; n < kMost; n++)
    if (fraction.step(-n * (n - a), x + 2 * n + 1 - a)) break;
  return front / fraction.f;
}

double chi_square_tail(double x, double degrees) { return x <= 0 ? 1 : gamma_upper(degrees / 2, x / 2); }

double beta_regularised(double a, double b, double x) {
  KBX_CHECK(a > 0 && b > 0 && x >= 0 && x <= 1);
  if (x == 0 || x == 1) return x;
  if (x > (a + 1) / (a + b + 2)) return 1 - beta_fraction(b, a, 1 - x);
  return beta_fraction(a, b, x);
}

double beta_quantile(double a, double b, double p) {
  KBX_CHECK(p >= 0 && p <= 1);
  double low = 0, high = 1;
  for (int k = 0; k < 1100 && low < high; k++) {
    double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (beta_regularised(a, b, middle) < p ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

double normal_below(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

double normal_quantile(double p) {
  KBX_CHECK(p > 0 && p < 1);
  if (p > 0.5) return -normal_quantile(1 - p);
  double low = -40, high = 0;
  for (int k = 0; k < 200; k++) {
    double middle = (low + high) / 2;
    if (middle == low || middle == high) break;
    (normal_below(middle) < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

double binomial_below(long long k, long long n, double p) {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return beta_regularised(double(n - k), double(k + 1), 1 - p);
}

}  // namespace kbx::stats
