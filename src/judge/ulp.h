// Spacing and range of the float formats: what one unit in the last place of an output is worth.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include "model/dtype.h"

namespace kbx::judge {

struct Format {
  double epsilon = 0;     // spacing at 1; 0 for integers and bool
  double min_normal = 0;  // smallest normal number
  double max_finite = 0;
  double flush = 0;  // results below this may have been flushed to zero by an honest kernel
};
// Complex: the format of one part. Integers and bool: all zero, max_finite infinite.
Format format_of(Dtype dtype);

// 2^floor(log2(x)) for finite x >= 2^-1022; 0 for zero and float64 subnormals.
inline double binade(double x) { return std::bit_cast<double>(std::bit_cast<uint64_t>(x) & 0x7ff0000000000000ull); }

// Distance between neighbours of the format around `magnitude` >= 0 (subnormals: their constant spacing). 0 for
// integers.
inline double ulp_of(double magnitude, const Format& format) {
  return std::max(binade(magnitude), format.min_normal) * format.epsilon;
}

}  // namespace kbx::judge
