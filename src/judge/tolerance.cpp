// The tolerance rule, one element at a time and in blocks.
#include "judge/tolerance.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "judge/noise.h"

namespace kbx::judge {
namespace {

enum Part { published, noise_part, own_part, ulp_part, magnitude_part, flush_part, part_count };

std::array<double, part_count> parts(const Tolerance& t, const Tolerance::Element& e) {
  std::array<double, part_count> p{};
  p[published] = t.atol + t.rtol * e.want;
  if (t.noise > 0) p[noise_part] = std::min(t.noise * std::max(t.scale, e.want), t.noise_cap);
  if (t.noise_factor > 0 && std::isfinite(e.own)) p[own_part] = t.noise_factor * beyond_rounding(e.own, e.want, t.format);
  if (t.ulps > 0) p[ulp_part] = t.ulps * ulp_of(e.want, t.format);
  if (t.magnitude && std::isfinite(e.magnitude)) p[magnitude_part] = t.magnitude_factor * e.magnitude;
  p[flush_part] = t.flush;
  return p;
}

using Double4 [[gnu::vector_size(32)]] = double;
using Long4 [[gnu::vector_size(32)]] = long long;
constexpr double kMax = std::numeric_limits<double>::max();
constexpr int64_t kStep = 64;  // elements whose helpers are read at a time

Double4 load4(const double* from) {
  Double4 v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
Double4 modulus(Double4 v) { return Double4(Long4(v) & 0x7fffffffffffffffLL); }
Double4 larger(Double4 a, Double4 b) { return a > b ? a : b; }
Double4 finite_or_zero(Double4 v) { return v <= kMax ? v : Double4{}; }

void fill_published(double atol, double rtol, int64_t n, const double* want, double* out) {
  for (int64_t k = 0; k < n; k += 4) {
    Double4 w = modulus(load4(want + k));
    Double4 t = w <= kMax ? atol + rtol * w : Double4{} + atol;
    __builtin_memcpy(out + k, &t, sizeof t);
  }
}

// Elements [first, first + n) of a helper, 0 beyond its end; false if there is no helper.
bool load_helper(const View* helper, int64_t first, int64_t n, double* out) {
  if (!helper) return false;
  int64_t exist = std::clamp<int64_t>(helper->count() - first, 0, n);
  if (exist > 0) helper->load(first, exist, out);
  std::fill(out + exist, out + n, 0.0);
  return true;
}

// Raises own[k] to weight |reference - want| where that is finite.
void add_own(const View* reference, double weight, int64_t first, int64_t n, const double* want, double* own) {
  std::array<double, kStep> value;
  if (!load_helper(reference, first, n, value.data())) return;
  for (int64_t k = 0; k < n; k += 4) {
    Double4 error = finite_or_zero(modulus(load4(value.data() + k) - load4(want + k)));
    Double4 most = larger(weight * error, load4(own + k));
    __builtin_memcpy(own + k, &most, sizeof most);
  }
}

// The rule of Tolerance::at() for four elements.
Double4 four_at(const Tolerance& r, Double4 want, Double4 own, Double4 magnitude) {
  Double4 w = modulus(want), zero{};
  Double4 t = larger(r.atol + r.rtol * w, zero + r.flush);
  if (r.noise > 0) {
    Double4 noise = r.noise * larger(w, zero + r.scale);
    t = larger(t, noise < r.noise_cap ? noise : zero + r.noise_cap);
  }
  Double4 spacing{};
  if (r.ulps > 0 || r.noise_factor > 0) {
    Double4 binades = Double4(Long4(w) & 0x7ff0000000000000LL);
    spacing = larger(binades, zero + r.format.min_normal) * r.format.epsilon;
  }
  if (r.noise_factor > 0) t = larger(t, r.noise_factor * (own - 0.5 * spacing));
  if (r.ulps > 0) t = larger(t, r.ulps * spacing);
  if (r.magnitude) t = larger(t, r.magnitude_factor * finite_or_zero(modulus(magnitude)));
  return w <= kMax ? t : zero + r.atol;
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

double base_tolerance(Dtype dtype, bool takes_floats) {
  if (dtype == Dtype::f64 && !takes_floats) return paper_tolerance(Dtype::f32) * 0x1p-29;
  if (dtype == Dtype::f16) return 0x1p-10;
  return paper_tolerance(dtype);
}

double scaled_atol(Dtype dtype, double scale, int64_t elements, bool takes_floats) {
  double atol = base_tolerance(dtype, takes_floats);
  if (scale <= 0 || elements < 32) return atol;
  return atol * std::min(1.0, size_of(dtype) == 2 ? scale : 16 * scale);
}

double magnitude_factor(Dtype output, bool tf32) {
  bool wide = output == Dtype::f64 || output == Dtype::c128;
  return 16 * (wide ? 0x1p-52 : 0x1p-23) + (tf32 ? 0x1p-9 : 0);
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
      if (atol == 0 && rtol == 0) return "exact";
      return fmt::format("{} tolerance {:g}", rtol == 1e-5 || rtol == 5e-3 ? "published" : "base", rtol);
  }
}

void Tolerance::fill(int64_t first, int64_t n, const double* want, double* out) const {
  bool published_only = noise == 0 && noise_factor == 0 && ulps == 0 && !magnitude && flush == 0;
  if (published_only) return fill_published(atol, rtol, n, want, out);
  for (int64_t from = 0; from < n; from += kStep) {
    int64_t here = std::min(kStep, n - from);
    std::array<double, kStep> own{}, size{};
    add_own(eager, 1, first + from, here, want + from, own.data());
    add_own(permuted, 1, first + from, here, want + from, own.data());
    add_own(narrow, kNarrowError, first + from, here, want + from, own.data());
    load_helper(magnitude, first + from, here, size.data());
    for (int64_t k = 0; k < here; k += 4) {
      Double4 t = four_at(*this, load4(want + from + k), load4(own.data() + k), load4(size.data() + k));
      __builtin_memcpy(out + from + k, &t, sizeof t);
    }
  }
}

}  // namespace kbx::judge
