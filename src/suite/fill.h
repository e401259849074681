// The elements of one tensor, dense and row-major, from its description and a stream.
#pragma once
#include <optional>

#include "model/task.h"
#include "model/value.h"
#include "suite/random_stream.h"

namespace kbx::suite {

// What the outlier phase does to a tensor: elements replaced with probability prob by N(0, scale^2), then all clamped.
struct Replacement {
  double prob = 0, scale = 0;
  std::optional<std::pair<double, double>> clamp;
};

// The description must be possible (check_tensor). `shape` is spec.shape, or smaller where a layout repeats elements.
Bytes fill(const TensorSpec& spec, const std::vector<int64_t>& shape, const RandomStream& stream,
           const std::optional<Replacement>& replacement);

// n elements of the dtype's poison: NaN for floats, a large odd number for integers, true for bool.
void poison(Dtype dtype, size_t n, std::byte* to);

}  // namespace kbx::suite
