// Solutions of linear systems, by their normwise backward error.
#include "judge/factorization.h"

namespace kbx::judge {

Checked check_solve(const Factors& f) {
  const Matrix& x = f.got[0];
  bool fits = f.left ? f.a.cols() == x.rows() && f.a.rows() == f.b.rows() && x.cols() == f.b.cols()
                     : x.cols() == f.a.rows() && f.a.cols() == f.b.cols() && x.rows() == f.b.rows();
  if (!fits) return Broken{"structure", 0, 0, "the solution's size does not fit the system"};
  double residual = map_norm(f.b.cols(), [&](const Matrix& v) -> Matrix {
    if (f.left) return f.a * (x * v) - f.b * v;
    return x * (f.a * v) - f.b * v;
  });
  return within("backward_error", residual, f.unit * (f.a.norm() * x.norm() + f.b.norm()),
                f.left ? "|A X - B|" : "|X A - B|");
}

}  // namespace kbx::judge
