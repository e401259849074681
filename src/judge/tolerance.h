// Tolerance: how far one element may be from what was expected. The allowed error of element i is
//   max(atol + rtol |want_i|, min(noise max(scale, |want_i|), noise_cap), noise_factor own_i, ulps ulp(want_i),
//       magnitude_factor |magnitude_i|, flush)
// with the meaning of the parts in docs/oracles.md. Never NaN: a want that is not finite has tolerance atol.
#pragma once
#include <cstdint>
#include <string>

#include "judge/ulp.h"
#include "judge/view.h"

namespace kbx::judge {

// What is left of a float32 error when the same is computed in float64: the ratio of the unit roundoffs.
inline constexpr double kNarrowError = 0x1p-26;

struct Tolerance {
  double atol = 0, rtol = 0;
  double noise = 0;             // noise floor relative to max(scale, |want|), already times the noise factor
  double scale = 0;             // robust scale of the output (noise.h)
  double noise_cap = 0;         // no element gains more from `noise` than this
  double noise_factor = 0;      // times own_i: the reference's own error at this very element, beyond rounding (noise.h)
  const View* eager = nullptr;  // own_i = max(|eager_i - want_i|, |permuted_i - want_i|) - ulp(want_i) / 2; null = none; not owned
  const View* permuted = nullptr;
  const View* narrow = nullptr;  // eager in float32, for a float64 output: own_i also >= kNarrowError |narrow_i - want_i|
  double ulps = 0;
  Format format;  // of the output: for ulps
  double magnitude_factor = 0;
  const View* magnitude = nullptr;  // not owned; same count as the output; real
  double flush = 0;

  // What the rule knows of one element besides the parameters above.
  struct Element {
    double want = 0, magnitude = 0, own = 0;  // moduli; own and magnitude 0 where there is none
  };
  double at(const Element& element) const;
  // The part of the rule that decided, in words: "4 x noise floor", "1.5 ulp", "the published tolerance", ...
  std::string reason_at(const Element& element) const;
  // As at(), for n elements with expected (real) values `want`; first: flat index of the first one. n is a multiple
  // of 4.
  void fill(int64_t first, int64_t n, const double* want, double* out) const;
};

// torch.testing.assert_close as the published suite called it: f32/f64 1e-5, f16/bf16 5e-3, everything else (integers,
// bool, complex, f8) exact. Used for atol and rtol alike.
double paper_tolerance(Dtype dtype);
// What profile kbx allows at least, as rtol and atol: the published tolerance where it is narrower than what the next
// coarser format loses, and else as many roundings of the output's own format. f32 and bf16: as published, 168 and 1.3
// unit roundoffs. f64: the same 168 (1e-5 would let float32 pass); as published where the task takes floats, which a kernel gets
// as float32 (float_numbers.h; is_float32_only() refuses float32 there). f16: 2, so 4 in all around 1 (5e-3 would let bfloat16
// pass, whose unit roundoff is 8 of float16's).
double base_tolerance(Dtype dtype, bool takes_floats);
// Its absolute part. It presumes outputs around 1; where they are smaller it shrinks
// with their scale, or a float16 softmax over 1000 columns could be answered with zeros: atol min(1, scale) for the
// half formats, atol min(1, 16 scale) for f32 and f64, whose outputs are small by cancellation more often. With fewer
// than 32 elements, or all zero, there is no scale to speak of and nothing shrinks.
double scaled_atol(Dtype dtype, double scale, int64_t elements, bool takes_floats);
// What one unit of magnitude(...) allows in an output of this dtype: 16 epsilons of the accumulator (float16 and
// bfloat16 are accumulated in float32; simulated float32 summation orders stay below 3), and TF32's rounding of the
// inputs to 10 bits where the task allows it.
double magnitude_factor(Dtype output, bool tf32);

}  // namespace kbx::judge
