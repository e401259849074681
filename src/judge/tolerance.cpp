// The tolerance rule, one element at a time and in blocks.
#include "judge/tolerance.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace kbx::judge {
namespace {

enum Part { published, noise_part, own_part, ulp_part, magnitude_part, flush_part, part_count };

std::array<double, part_count> parts(const Tolerance& t, const Tolerance::Element& e) {
  std::array<double, part_count> p{};
  p[published] = t.atol + t.rtol * e.want;
  if (t.noise > 0) p[noise_part] = std::min(t.noise * std::max(t.scale, e.want), t.noise_cap);
  if (t.noise_factor > 0 && std::isfinite(e.own)) p[own_part] = t.noise_factor * e.own;
  if (t.ulps > 0) p[ulp_part] = t.ulps * ulp_of(e.want, t.format);
  if (t.magnitude && std::isfinite(e.magnitude)) p[magnitude_part] = t.magnitude_factor * e.magnitude;
  p[flush_part] = t.flush;
  return p;
}

void fill_published(double atol, double rtol, int64_t n, const double* want, double* out) {
  using Double4 [[gnu::vector_size(32)]] = double;
  constexpr double kMax = std::numeric_limits<double>::max();
  for (int64_t k = 0; k < n; k += 4) {
    Double4 w;
    __builtin_memcpy(&w, want + k, sizeof w);
    Double4 modulus = w < 0 ? -w : w;
    Double4 t = modulus <= kMax ? atol + rtol * modulus : Double4{} + atol;
    __builtin_memcpy(out + k, &t, sizeof t);
  }
}

// Raises own[k] to |reference - want| where the tensor has elements.
void add_own(const View* reference, int64_t first, int64_t n, const double* want, double* own) {
  if (!reference) return;
  std::array<double, 4> value{};
  for (int64_t k = 0; k < n; k += 4) {
    int64_t here = std::clamp<int64_t>(reference->count() - first - k, 0, 4);
    if (here > 0) reference->load(first + k, here, value.data());
    for (int64_t j = 0; j < here; j++) {
      double error = std::abs(value[size_t(j)] - want[k + j]);
      if (error > own[k + j]) own[k + j] = error;
    }
  }
}

}  // namespace

double paper_tolerance(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32:
    case Dtype::f64:
      return 1e-5;
    case Dtype::f16:
    case Dtype::bf16:
      return 5e-3;
    default:
      return 0;
  }
}

double scaled_atol(Dtype dtype, double scale, int64_t elements) {
  double atol = paper_tolerance(dtype);
  if (scale <= 0 || elements < 32) return atol;
  return atol * std::min(1.0, size_of(dtype) == 2 ? scale : 16 * scale);
}

double Tolerance::at(const Element& e) const {
  if (!std::isfinite(e.want)) return atol;
  auto p = parts(*this, e);
  return *std::max_element(p.begin(), p.end());
}

std::string Tolerance::reason_at(const Element& e) const {
  auto p = parts(*this, e);
  switch (Part(std::max_element(p.begin(), p.end()) - p.begin())) {
    case noise_part:
    case own_part:
      return fmt::format("{:g} x noise floor", noise_factor);
    case ulp_part:
      return fmt::format("{:g} ulp", ulps);
    case magnitude_part:
      return "rounding of the summed magnitudes";
    case flush_part:
      return "smallest normal number";
    default:
      return atol == 0 && rtol == 0 ? "exact" : fmt::format("published tolerance {:g}", rtol);
  }
}

void Tolerance::fill(int64_t first, int64_t n, const double* want, double* out) const {
  if (noise == 0 && noise_factor == 0 && ulps == 0 && !magnitude && flush == 0)
    return fill_published(atol, rtol, n, want, out);
  constexpr int64_t kStep = 64;
  for (int64_t from = 0; from < n; from += kStep) {
    int64_t here = std::min(kStep, n - from);
    std::array<double, kStep> own{}, size{};
    add_own(eager, first + from, here, want + from, own.data());
    add_own(permuted, first + from, here, want + from, own.data());
    if (magnitude) {
      int64_t exist = std::clamp<int64_t>(magnitude->count() - first - from, 0, here);
      if (exist > 0) magnitude->load(first + from, exist, size.data());
    }
    for (int64_t k = 0; k < here; k++)
      out[from + k] = at({std::abs(want[from + k]), std::abs(size[size_t(k)]), own[size_t(k)]});
  }
}

}  // namespace kbx::judge
