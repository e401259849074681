#include "stats/t_quantile.h"

#include <cmath>
#include <numbers>

#include "base/check.h"

namespace kbx::stats {

double t_within(double t, int degrees) {
  KBX_CHECK(degrees >= 1 && t >= 0);
  double angle = std::atan(t / std::sqrt(double(degrees))), c = std::cos(angle), s = std::sin(angle);
  if (degrees % 2 == 0) {
    double term = 1, sum = 1;
    for (int k = 2; k < degrees; k += 2) sum += term *= c * c * double(k - 1) / double(k);
    return s * sum;
  }
  double term = c, sum = degrees > 1 ? c : 0;
  for (int k = 3; k < degrees; k += 2) sum += term *= c * c * double(k - 1) / double(k);
  return 2 / std::numbers::pi * (angle + s * sum);
}

double t_quantile(double coverage, int degrees) {
  KBX_CHECK(coverage > 0 && coverage < 1);
  double low = 0, high = 1;
  while (t_within(high, degrees) < coverage) high *= 2;
  for (int k = 0; k < 80; k++) {
    double middle = (low + high) / 2;
    (t_within(middle, degrees) < coverage ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace kbx::stats
