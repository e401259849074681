// Structured matrices in double precision: spd, symmetric, triangular, orthogonal, conditioned, low_rank.
// Orthogonal factors are products of Householder reflections of normal vectors (Stewart, SIAM J. Numer. Anal. 17, 1980:
// with all n - 1 of falling size this is the Q of a QR of a normal matrix); above kFull rows only kFew of full size are
// applied, which keeps the spectrum exact and the work at O(n^2).
#pragma once
#include <vector>

#include "model/task.h"
#include "suite/random_stream.h"

namespace kbx::suite {

inline constexpr int64_t kFull = 256, kFew = 24;

// All matrices of the last two dims of shape, row-major; complex: (re, im) pairs.
std::vector<double> fill_matrices(const TensorSpec& spec, const std::vector<int64_t>& shape,
                                  const RandomStream& stream);

}  // namespace kbx::suite
