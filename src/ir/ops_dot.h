// Matrix products.
#pragma once
#include "ir/context.h"

namespace kbx::ir {

// out = c + a x b by extra->dot. Forward: k ascending onto c. Other: k descending from 0, then c.
void dot(Context& c, const Inst& i);
// out = c + (a * scales) x (b * scales) by extra->dot and extra->scaled.
void scaled_dot(Context& c, const Inst& i);

// Row major: d [m, n] += a [m, k] x b [k, n], in f32.
struct FloatProduct {
  float* d;
  const float* a;
  const float* b;
  uint32_t m, n, k;
};
void multiply_floats(const FloatProduct& o, Accumulation order);

}  // namespace kbx::ir
