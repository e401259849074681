// The verdict on one element: the scalar rule behind compare(), where NaN and Inf are decided (rule: compare.h).
#pragma once
#include <cmath>
#include <complex>
#include <limits>

namespace kbx::judge {

// Error in units of the tolerance: <= 1 is right. Infinite where no tolerance helps.
// overflow: what eager holds there (NaN if unknown); max_finite: the output format's largest number.
inline double excess(double got, double want, double tolerance, double overflow, double max_finite) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want) ? 0 : kWrong;
  if (std::isinf(got)) {
    if (got == want || got == overflow) return 0;
    bool too_large =
        std::isfinite(want) && std::signbit(got) == std::signbit(want) && std::abs(want) + tolerance > max_finite;
    return too_large ? 0 : kWrong;
  }
  if (std::isinf(want)) return kWrong;
  double error = std::abs(got - want);
  if (error <= tolerance) return tolerance > 0 ? error / tolerance : 0;
  return tolerance > 0 ? error / tolerance : kWrong;
}

using Complex = std::complex<double>;
inline bool has_nan(Complex z) { return std::isnan(z.real()) || std::isnan(z.imag()); }
inline bool has_inf(Complex z) { return !has_nan(z) && (std::isinf(z.real()) || std::isinf(z.imag())); }

inline double excess(Complex got, Complex want, double tolerance) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (has_nan(got) || has_nan(want)) return has_nan(got) && has_nan(want) ? 0 : kWrong;
  if (has_inf(got) || has_inf(want)) return got == want ? 0 : kWrong;
  double error = std::abs(got - want);
  if (error <= tolerance) return tolerance > 0 ? error / tolerance : 0;
  return tolerance > 0 ? error / tolerance : kWrong;
}

}  // namespace kbx::judge
