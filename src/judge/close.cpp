// Oracle `close`: truth is the reference in float64, the tolerance is measured (docs/oracles.md). Integers and bools:
// exact. NaN and Inf: compare.h, with eager's Inf allowed where the format overflows on the way.
#include <cmath>

#include "judge/explain.h"
#include "judge/float_numbers.h"
#include "judge/noise.h"
#include "judge/oracles.h"
#include "judge/statistical.h"

namespace kbx::judge {

namespace {

// Eager in float32, where the output is float64 and the reference could do it.
std::optional<View> narrow_view(const Evidence& e, const View& got) {
  bool wide = got.dtype() == Dtype::f64 || got.dtype() == Dtype::c128;
  if (!wide || !e.narrow || e.narrow->kind != ValueKind::tensor) return std::nullopt;
  View narrow(leaf_tensor(*e.narrow));
  if (narrow.shape() != got.shape() || is_complex(narrow.dtype()) != is_complex(got.dtype())) return std::nullopt;
  return narrow;
}

// Where the bound of a finite element is not finite itself, a kernel would be held to less than it was promised.
bool has_no_bound(const View& truth, const View& magnitude, const View* domain) {
  for (int64_t k = 0; k < truth.count(); k++) {
    if ((domain && domain->at(k) == 0) || std::isfinite(magnitude.at(k))) continue;
    if (std::isfinite(std::abs(truth.complex_at(k)))) return true;
  }
  return false;
}

}  // namespace

Judgement judge_close(const Evidence& e, const Oracle& oracle) {
  Judgement j = begin(e, oracle, Profile::kbx);
  View got(leaf_tensor(*e.got)), eager(leaf_tensor(*e.eager));
  Dtype dtype = got.dtype();
  if (!is_floating(dtype) && !is_complex(dtype)) return judge_exact(e, oracle);
  View truth(leaf_tensor(e.truth ? *e.truth : *e.eager));
  if (truth.shape() != got.shape())
    return not_judged(std::move(j), "the float64 reference has another shape than eager");
  std::optional<View> permuted, magnitude, domain;
  if (e.permuted) permuted.emplace(leaf_tensor(*e.permuted));
  if (e.magnitude && oracle.magnitude) magnitude.emplace(leaf_tensor(*e.magnitude));
  if (e.domain) domain.emplace(leaf_tensor(*e.domain));
  for (const auto* v : {&permuted, &magnitude, &domain})
    if (*v && (*v)->count() != got.count())
      return not_judged(std::move(j), "a helper of the reference has another shape than its result");
  const View* inside = domain ? &*domain : nullptr;
  if (magnitude && has_no_bound(truth, *magnitude, inside))
    return not_judged(std::move(j), "magnitude() is not finite where the result is");
  Noise noise = measure_noise(eager, permuted ? &*permuted : nullptr, truth, inside);
  std::optional<View> narrow = narrow_view(e, got);
  if (narrow) {
    // Eager's float64 is as exact as the truth: what an honest kernel may lose, its float32 shows.
    Noise loss = measure_noise(*narrow, nullptr, truth, inside);
    noise.floor = std::max(noise.floor, kNarrowError * loss.floor);
    noise.largest = std::max(noise.largest, kNarrowError * loss.largest);
  }

  Pair pair{got, truth, {}, is_complex(dtype) ? nullptr : &eager, inside};
  Tolerance& t = pair.tolerance;
  Dtype real = dtype == Dtype::c64 ? Dtype::f32 : dtype == Dtype::c128 ? Dtype::f64 : dtype;
  bool rounded = takes_floats(e.task);
  t.rtol = base_tolerance(real, rounded);
  t.atol = scaled_atol(real, noise.scale, got.count(), rounded);
  t.noise = oracle.noise_factor * noise.floor;
  t.noise_factor = oracle.noise_factor;
  t.noise_cap = oracle.noise_factor * noise.largest;
  t.scale = noise.scale;
  t.eager = &eager;
  t.permuted = permuted ? &*permuted : nullptr;
  t.narrow = narrow ? &*narrow : nullptr;
  t.ulps = oracle.ulps;
  t.format = format_of(dtype);
  t.flush = t.format.flush;
  if (magnitude) {
    t.magnitude = &*magnitude;
    t.magnitude_factor = magnitude_factor(dtype, e.task.tf32);
  }
  j.metrics = compare(pair);
  conclude(j, pair);
  if (rounded && real == Dtype::f64 && is_float32_only(got, truth))
    fail_check(j, "digits", 24, 53, 53, "every value is a float32, though the result is float64 and needs more digits: computed in float32?");
  if (j.verdict == Verdict::correct) j.error_share = j.metrics.max_allowed;
  return j;
}

}  // namespace kbx::judge
