// The number formats of tensors, in our own code: rounding to nearest even, limits, decoding.
// NaN becomes the format's quiet NaN. Overflow becomes infinity; f8e4m3 has none, there it becomes NaN (as in torch).
#pragma once
#include <cstddef>
#include <cstdint>

#include "model/dtype.h"

namespace kbx::suite {

// Writes n numbers as dtype (real dtypes only; complex callers pass their parts as f32/f64). Integers: rounded to
// nearest even, then kept within the type's range; NaN -> 0. bool: 0 is false, everything else true.
void store(Dtype dtype, const float* from, size_t n, std::byte* to);
void store(Dtype dtype, const double* from, size_t n, std::byte* to);
// One element as a number (real dtypes).
double load(Dtype dtype, const std::byte* from);

double greatest(Dtype dtype);           // largest finite value
double least(Dtype dtype);              // most negative finite value
double smallest_normal(Dtype dtype);    // floats; 1 for the others
double smallest_positive(Dtype dtype);  // floats: the least denormal; 1 for the others
// The greatest value of the type that is below x; x itself must lie within the type's range.
double just_below(Dtype dtype, double x);

// The dtype of one part: c64 -> f32, c128 -> f64, others themselves.
Dtype part_of(Dtype dtype);

}  // namespace kbx::suite
