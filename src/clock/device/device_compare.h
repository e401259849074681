// Two dense arrays of one type against each other.
#pragma once
#include "device_numbers.h"

namespace kbx::clock::device {

struct CompareSpec {
  uint64_t candidate, reference, count;  // elements
  uint32_t number, step;                 // step: numbers an element (complex: 2)
  double atol, rtol, rtol_rms;
  uint32_t exact;
};
struct CompareTotals {
  uint64_t mismatches, nan;  // nan: elements that are NaN in exactly one of the two
  uint64_t max_abs;          // bits of a double; finite differences only
  double sum_reference, sum_difference;  // of squares, finite elements
  uint64_t finite_reference, finite_difference;
};

struct Pair {
  double candidate_re, candidate_im, reference_re, reference_im;
};
KBX_DEVICE Pair load_pair(const CompareSpec& s, uint64_t k) {
  Pair p{load_number(s.number, s.candidate, k * s.step), 0, load_number(s.number, s.reference, k * s.step), 0};
  if (s.step == 2) {
    p.candidate_im = load_number(s.number, s.candidate, k * 2 + 1);
    p.reference_im = load_number(s.number, s.reference, k * 2 + 1);
  }
  return p;
}
KBX_DEVICE bool is_nan(double re, double im) { return re != re || im != im; }
KBX_DEVICE bool is_finite(double re, double im) { return re - re == 0 && im - im == 0; }
KBX_DEVICE double square_of(double re, double im) { return re * re + im * im; }
KBX_DEVICE double size_of_number(double re, double im) { return im == 0 ? (re < 0 ? -re : re) : root_of(square_of(re, im)); }

// First pass: the size of the reference.
KBX_DEVICE void measure_reference(const CompareSpec& s, CompareTotals* out) {
  double sum = 0;
  uint64_t finite = 0;
  for (uint64_t k = thread_index(); k < s.count; k += thread_count()) {
    Pair p = load_pair(s, k);
    if (!is_finite(p.reference_re, p.reference_im)) continue;
    sum += square_of(p.reference_re, p.reference_im);
    finite++;
  }
  sum = warp_sum(sum);
  finite = warp_sum(finite);
  if (lane() == 0) {
    atomic_add(&out->sum_reference, sum);
    atomic_add(&out->finite_reference, finite);
  }
}

struct Verdict {
  bool mismatch = false, one_nan = false, finite = false;
  double difference = 0;
};
// |c - r| > tolerance + rtol |r| is a mismatch; NaN equals NaN alone, an infinity only itself.
KBX_DEVICE Verdict judge_pair(const Pair& p, double tolerance, double rtol, bool exact) {
  Verdict v;
  bool nan_c = is_nan(p.candidate_re, p.candidate_im), nan_r = is_nan(p.reference_re, p.reference_im);
  if (nan_c || nan_r) {
    v.one_nan = v.mismatch = nan_c != nan_r;
    return v;
  }
  bool same = p.candidate_re == p.reference_re && p.candidate_im == p.reference_im;
  v.finite = is_finite(p.candidate_re, p.candidate_im) && is_finite(p.reference_re, p.reference_im);
  if (!v.finite) {
    v.mismatch = !same;
    return v;
  }
  v.difference = size_of_number(p.candidate_re - p.reference_re, p.candidate_im - p.reference_im);
  v.mismatch = exact ? !same : v.difference > tolerance + rtol * size_of_number(p.reference_re, p.reference_im);
  return v;
}
KBX_DEVICE double rms(double sum, uint64_t count) { return count ? root_of(sum / double(count)) : 0; }

// Second pass.
KBX_DEVICE void compare_all(const CompareSpec& s, CompareTotals* out) {
  double tolerance = s.atol + s.rtol_rms * rms(out->sum_reference, out->finite_reference), sum = 0, most = 0;
  uint64_t mismatches = 0, nan = 0, finite = 0;
  for (uint64_t k = thread_index(); k < s.count; k += thread_count()) {
    Verdict v = judge_pair(load_pair(s, k), tolerance, s.rtol, s.exact != 0);
    // Doubles do not tell all 64-bit integers apart.
    if (s.number == kI64 && s.exact) v.mismatch = pointer<int64_t>(s.candidate)[k] != pointer<int64_t>(s.reference)[k];
    mismatches += v.mismatch;
    nan += v.one_nan;
    finite += v.finite;
    sum += v.difference * v.difference;
    most = v.difference > most ? v.difference : most;
  }
  if (most > 0) atomic_max(&out->max_abs, bits_of(most));
  mismatches = warp_sum(mismatches);
  nan = warp_sum(nan);
  finite = warp_sum(finite);
  sum = warp_sum(sum);
  if (lane() != 0) return;
  atomic_add(&out->mismatches, mismatches);
  atomic_add(&out->nan, nan);
  atomic_add(&out->finite_difference, finite);
  atomic_add(&out->sum_difference, sum);
}

}  // namespace kbx::clock::device
