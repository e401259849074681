// Noise: how wrong an honest kernel of this precision may be on this very case, measured on PyTorch eager.
//
// scale: a robust size of the output, median(|truth|) / 0.6745 over the finite elements that are not zero (the RMS, if
//   they are normally distributed). Not the RMS itself: one element of 1e13 must not widen the tolerance of its
//   neighbours around 1, and 50 % of the elements would have to be huge to move a median.
// floor:  the largest error_i / max(scale, |truth_i|) after the worst 0.1 % (none below 1000 elements) were set aside,
//   where error_i = max(|eager_i - truth_i|, |permuted_i - truth_i|) less half a spacing of the output's format: the
//   rounding of the result is allowed by itself (Tolerance::ulps), and a multiple of it would hide a coarser format.
//   Those set aside (an element where eager itself took another branch of a discontinuity) keep their own allowance in
//   Tolerance and widen nobody else's. Never above kLargestFloor: beyond that the reference is unstable, not noisy.
// largest: the largest error_i among the elements that were not set aside: no element gains more than that.
// NaN and Inf: elements that are not finite in eager, permuted or truth are skipped. At most 2^20 evenly spread
// elements are looked at.
#pragma once
#include "judge/ulp.h"
#include "judge/view.h"

namespace kbx::judge {

struct Noise {
  double scale = 0;    // 0 if every element is zero or not finite
  double floor = 0;    // relative to max(scale, |truth|)
  double largest = 0;  // absolute
};
inline constexpr double kLargestFloor = 0.05;

// `error` without the half spacing that rounding `truth` to the format costs; never below 0.
double beyond_rounding(double error, double truth, const Format& format);
// permuted and domain may be null. All counts are equal. Complex: moduli.
Noise measure_noise(const View& eager, const View* permuted, const View& truth, const View* domain);
// The scale alone.
double robust_scale(const View& truth, const View* domain);

}  // namespace kbx::judge
