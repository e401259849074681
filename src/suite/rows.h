// Distributions of whole lines along one dim: probabilities, their logarithms, permutations, sorted values.
#pragma once
#include <vector>

#include "model/task.h"
#include "suite/random_stream.h"

namespace kbx::suite {

// `out` holds numel(shape) numbers.
template <class T>
void fill_rows(const TensorSpec& spec, const std::vector<int64_t>& shape, const RandomStream& stream,
               std::vector<T>& out);

extern template void fill_rows(const TensorSpec&, const std::vector<int64_t>&, const RandomStream&,
                               std::vector<float>&);
extern template void fill_rows(const TensorSpec&, const std::vector<int64_t>&, const RandomStream&,
                               std::vector<double>&);

}  // namespace kbx::suite
