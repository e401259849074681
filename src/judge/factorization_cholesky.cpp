// Cholesky: unique once the diagonal is positive, so reconstruction and shape say everything.
#include <fmt/core.h>

#include "judge/factorization.h"

namespace kbx::judge {

Checked check_cholesky(const Factors& f) {
  const Matrix& l = f.got[0];
  if (auto bad = triangle(l, !f.upper, f.upper ? "U" : "L")) return bad;
  for (Eigen::Index k = 0; k < l.rows(); k++)
    if (!(l(k, k).real() > 0) || l(k, k).imag() != 0)
      return Broken{"diagonal", l(k, k).real(), 0,
                    fmt::format("diagonal element {} is {:.3g}, not positive", k, l(k, k).real())};
  double residual = map_norm(f.a.cols(), [&](const Matrix& x) -> Matrix {
    if (f.upper) return f.a * x - l.adjoint() * (l * x);
    return f.a * x - l * (l.adjoint() * x);
  });
  return within("reconstruction", residual, f.unit * f.a.norm(), f.upper ? "|A - U'U|" : "|A - LL'|");
}

}  // namespace kbx::judge
