// Pseudo-inverses by the four Penrose conditions (Penrose 1955). They hold up to u |A| |X| times the condition's own
// size.
#include "judge/factorization.h"

namespace kbx::judge {

Checked check_pinv(const Factors& f) {
  const Matrix& a = f.a;
  const Matrix& x = f.got[0];
  if (x.rows() != a.cols() || x.cols() != a.rows())
    return Broken{"structure", 0, 0, "the pseudo-inverse's size does not fit"};
  double scale = f.unit * a.norm() * x.norm();
  double axa = map_norm(a.cols(), [&](const Matrix& v) -> Matrix { return a * (x * (a * v)) - a * v; });
  if (auto bad = within("penrose_1", axa, scale * a.norm(), "|A X A - A|")) return bad;
  double xax = map_norm(x.cols(), [&](const Matrix& v) -> Matrix { return x * (a * (x * v)) - x * v; });
  if (auto bad = within("penrose_2", xax, scale * x.norm(), "|X A X - X|")) return bad;
  double ax =
      map_norm(a.rows(), [&](const Matrix& v) -> Matrix { return a * (x * v) - x.adjoint() * (a.adjoint() * v); });
  if (auto bad = within("penrose_3", ax, scale, "|A X - (A X)'|")) return bad;
  double xa =
      map_norm(a.cols(), [&](const Matrix& v) -> Matrix { return x * (a * v) - a.adjoint() * (x.adjoint() * v); });
  return within("penrose_4", xa, scale, "|X A - (X A)'|");
}

}  // namespace kbx::judge
