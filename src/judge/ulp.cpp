// The formats' constants.
#include "judge/ulp.h"

#include <limits>

namespace kbx::judge {

Format format_of(Dtype dtype) {
  // Half formats hold subnormals on every path (they are converted from float32), so nothing is flushed there; float32
  // arithmetic on a GPU may flush, and bfloat16 shares float32's exponent range.
  switch (dtype) {
    case Dtype::f16:
      return {0x1p-10, 0x1p-14, 65504, 0};
    case Dtype::bf16:
      return {0x1p-7, 0x1p-126, 0x1.fep127, 0x1p-126};
    case Dtype::f32:
    case Dtype::c64:
      return {0x1p-23, 0x1p-126, double(std::numeric_limits<float>::max()), 0x1p-126};
    case Dtype::f64:
    case Dtype::c128:
      return {0x1p-52, 0x1p-1022, std::numeric_limits<double>::max(), 0x1p-1022};
    case Dtype::f8e4m3:
      return {0x1p-3, 0x1p-6, 448, 0};
    case Dtype::f8e5m2:
      return {0x1p-2, 0x1p-14, 57344, 0};
    default:
      return {0, 0, std::numeric_limits<double>::infinity(), 0};
  }
}

}  // namespace kbx::judge
