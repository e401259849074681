// Inverses: one of the two residuals is small for every stable algorithm, the other one only up to the condition
// number.
#include <algorithm>

#include "judge/factorization.h"

namespace kbx::judge {

Checked check_inverse(const Factors& f) {
  const Matrix& x = f.got[0];
  double right = map_norm(f.a.rows(), [&](const Matrix& v) -> Matrix { return f.a * (x * v) - v; });
  double left = map_norm(f.a.rows(), [&](const Matrix& v) -> Matrix { return x * (f.a * v) - v; });
  double residual = right <= left ? right : left;
  return within("inverse_residual", residual, f.unit * f.a.norm() * x.norm(), "|A X - I|");
}

}  // namespace kbx::judge
