// compare(): every metric of a pair of tensors in one pass over their elements, on all cores.
//
// NaN and Inf rule, the same for every oracle that compares values:
//   got NaN  : right only where want is NaN. want NaN: only NaN is right.
//   got Inf  : right where want is Inf of the same sign, where the finite want plus its tolerance leaves the output
//              format's range on that side (the format cannot hold it), or where `overflow` holds the same Inf.
//   want Inf : a finite got is wrong.
// Complex: NaN if a part is NaN, Inf if a part is Inf and none NaN; two Inf must agree in both parts.
//
// The result does not depend on the number of threads: partial sums over fixed chunks are joined in order. Sums are in
// double: squares of float64 values beyond 1e154 overflow and make cosine and rmse Inf or NaN.
#pragma once
#include <vector>

#include "judge/tolerance.h"
#include "judge/view.h"
#include "model/judgement.h"

namespace kbx::judge {

struct Pair {
  const View& got;
  const View& want;  // same count as got; complex if got is (or got is read as complex)
  Tolerance tolerance;
  const View* overflow = nullptr;  // eager: see the Inf rule; may be null
  const View* domain = nullptr;    // bool: elements that are compared; null = all
};

Metrics compare(const Pair& pair);
// One byte an element: 1 where compare() counts a mismatch.
std::vector<uint8_t> mismatch_mask(const Pair& pair);
// What the tolerance rule needs to know of one element.
Tolerance::Element tolerance_element(const Pair& pair, int64_t flat);

}  // namespace kbx::judge
