// Oracle `close`: truth is the reference in float64, the tolerance is measured (docs/oracles.md). Integers and bools:
// exact. NaN and Inf: compare.h, with eager's Inf allowed where the format overflows on the way.
#include "judge/explain.h"
#include "judge/noise.h"
#include "judge/oracles.h"

namespace kbx::judge {
namespace {

constexpr double kMagnitudeUlps = 16;   // simulated float32 summation orders stay below 3
constexpr double kTf32Factor = 0x1p-9;  // of the magnitude, where inputs may be rounded to TF32's 10 bits

// Float16 outputs are accumulated in float32: the magnitude bound is that of the accumulator.
double accumulator_epsilon(Dtype output) { return output == Dtype::f64 || output == Dtype::c128 ? 0x1p-52 : 0x1p-23; }

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
  Noise noise = measure_noise(eager, permuted ? &*permuted : nullptr, truth, inside);

  Pair pair{got, truth, {}, is_complex(dtype) ? nullptr : &eager, inside};
  Tolerance& t = pair.tolerance;
  Dtype real = dtype == Dtype::c64 ? Dtype::f32 : dtype == Dtype::c128 ? Dtype::f64 : dtype;
  t.rtol = paper_tolerance(real);
  t.atol = scaled_atol(real, noise.scale, got.count());
  t.noise = oracle.noise_factor * noise.floor;
  t.noise_factor = oracle.noise_factor;
  t.noise_cap = oracle.noise_factor * noise.largest;
  t.scale = noise.scale;
  t.eager = &eager;
  t.permuted = permuted ? &*permuted : nullptr;
  t.ulps = oracle.ulps;
  t.format = format_of(dtype);
  t.flush = t.format.flush;
  if (magnitude) {
    t.magnitude = &*magnitude;
    t.magnitude_factor = kMagnitudeUlps * accumulator_epsilon(dtype) + (e.task.tf32 ? kTf32Factor : 0);
  }
  j.metrics = compare(pair);
  conclude(j, pair);
  return j;
}

}  // namespace kbx::judge
