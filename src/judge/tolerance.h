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

struct Tolerance {
  double atol = 0, rtol = 0;
  double noise = 0;             // noise floor relative to max(scale, |want|), already times the noise factor
  double scale = 0;             // robust scale of the output (noise.h)
  double noise_cap = 0;         // no element gains more from `noise` than this
  double noise_factor = 0;      // times own_i: the reference's own error at this very element
  const View* eager = nullptr;  // own_i = max(|eager_i - want_i|, |permuted_i - want_i|); null = none; not owned
  const View* permuted = nullptr;
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
// The published absolute part as profile kbx uses it. It presumes outputs around 1; where they are smaller it shrinks
// with their scale, or a float16 softmax over 1000 columns could be answered with zeros: atol min(1, scale) for the
// half formats, atol min(1, 16 scale) for f32 and f64, whose outputs are small by cancellation more often. With fewer
// than 32 elements, or all zero, there is no scale to speak of and nothing shrinks.
double scaled_atol(Dtype dtype, double scale, int64_t elements);

}  // namespace kbx::judge
