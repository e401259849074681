// Measuring the noise floor.
#include "judge/noise.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace kbx::judge {
namespace {

constexpr int64_t kSample = int64_t(1) << 20;

// Odd, so that it meets every column of power-of-two shapes.
int64_t step_for(int64_t count) {
  int64_t step = (count + kSample - 1) / kSample;
  return std::max<int64_t>(1, step | 1);
}

bool finite(std::complex<double> z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }

struct Error {
  double relative, absolute;
};

}  // namespace

double robust_scale(const View& truth, const View* domain) {
  std::vector<double> sizes;
  for (int64_t k = 0; k < truth.count(); k += step_for(truth.count())) {
    if (domain && domain->at(k) == 0) continue;
    double size = std::abs(truth.complex_at(k));
    if (std::isfinite(size) && size > 0) sizes.push_back(size);
  }
  if (sizes.empty()) return 0;
  auto middle = sizes.begin() + std::ptrdiff_t(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle / 0.6745;
}

double beyond_rounding(double error, double truth, const Format& format) {
  return std::max(0.0, error - 0.5 * ulp_of(truth, format));
}

Noise measure_noise(const View& eager, const View* permuted, const View& truth, const View* domain) {
  KBX_CHECK(eager.count() == truth.count() && (!permuted || permuted->count() == truth.count()));
  Noise noise;
  noise.scale = robust_scale(truth, domain);
  std::vector<Error> errors;
  Format format = format_of(eager.dtype());
  for (int64_t k = 0; k < truth.count(); k += step_for(truth.count())) {
    if (domain && domain->at(k) == 0) continue;
    std::complex<double> t = truth.complex_at(k), e = eager.complex_at(k), p = permuted ? permuted->complex_at(k) : e;
    if (!finite(t) || !finite(e) || !finite(p)) continue;
    double absolute = beyond_rounding(std::max(std::abs(e - t), std::abs(p - t)), std::abs(t), format);
    double size = std::max(noise.scale, std::abs(t));
    errors.push_back({size > 0 ? absolute / size : 0, absolute});
  }
  if (errors.empty()) return noise;
  auto aside = std::ptrdiff_t(errors.size() / 1000);
  auto worst_first = [](const Error& a, const Error& b) { return a.relative > b.relative; };
  auto kept = errors.begin() + aside;
  std::nth_element(errors.begin(), kept, errors.end(), worst_first);
  noise.floor = std::min(kept->relative, kLargestFloor);
  for (auto it = kept; it != errors.end(); ++it) noise.largest = std::max(noise.largest, it->absolute);
  return noise;
}

}  // namespace kbx::judge
