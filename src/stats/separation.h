// Are binomial data separated by a design, exactly (not "some fitted value is near 1")?
// Rows with successes and failures must have x'b = 0, so the others are looked at in the space that leaves these alone:
// z = +-(x without its part in the span of the mixed rows), + for success. By Stiemke's theorem either some b has all
// z'b >= 0 and not all 0 (separated), or weights w > 0 with sum w z = 0 exist; scaled to w >= 1, w = 1 + u, the second is a
// least squares problem with u >= 0 (Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23): separated
// when something is left of the sum. Completely: no mixed rows and, by Gordan's theorem, no w >= 0, not all 0, either.
#pragma once
#include "stats/design_matrix.h"

namespace kbx::stats {

Separation separation_of(const DesignMatrix& d);

// min |a u - y| over u >= 0: the u. Deterministic; at most 3 columns(a) outer steps.
Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& a, const Eigen::VectorXd& y);

}  // namespace kbx::stats
