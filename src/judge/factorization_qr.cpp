// QR: any Q with orthonormal columns; signs and phases are free.
#include "judge/factorization.h"

namespace kbx::judge {

Checked check_qr(const Factors& f) {
  const Matrix& q = f.got[0];
  const Matrix& r = f.got[1];
  double a = f.a.norm();
  if (auto bad = triangle(r, false, "R")) return bad;
  if (q.size() == 0) {  // mode "r"
    double gram = map_norm(
        f.a.cols(), [&](const Matrix& x) -> Matrix { return f.a.adjoint() * (f.a * x) - r.adjoint() * (r * x); });
    return within("reconstruction", gram, f.unit * a * a, "|A'A - R'R|");
  }
  double residual = map_norm(f.a.cols(), [&](const Matrix& x) -> Matrix { return f.a * x - q * (r * x); });
  if (auto bad = within("reconstruction", residual, f.unit * a, "|A - QR|")) return bad;
  return within("orthogonality", orthogonality(q), f.unit, "|Q'Q - I|");
}

}  // namespace kbx::judge
