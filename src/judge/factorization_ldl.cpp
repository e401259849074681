// LDL with LAPACK's lower packed storage (sytrf, hetrf 'L'): A = M D M' with M = P(1) L(1) P(2) L(2) ..., D of 1x1 and
// 2x2 blocks. pivots[k] > 0: a 1x1 block, rows k and pivots[k]-1 interchanged; pivots[k] = pivots[k+1] < 0: a 2x2
// block, rows k+1 and -pivots[k]-1 interchanged. Which pivots are chosen is free. The strict upper triangle is not
// read.
#include <fmt/core.h>

#include "judge/factorization.h"

namespace kbx::judge {

Checked check_ldl(const Factors& f) {
  const Matrix& packed = f.got[0];
  const Matrix& pivots = f.got[1];
  Eigen::Index n = packed.rows();
  Matrix d = Matrix::Zero(n, n), m = Matrix::Identity(n, n);
  std::vector<Eigen::Index> starts;
  for (Eigen::Index k = 0; k < n; k += pivots(k, 0).real() < 0 ? 2 : 1) {
    bool pair = pivots(k, 0).real() < 0;
    if (pair && (k + 1 >= n || pivots(k + 1, 0) != pivots(k, 0)))
      return Broken{"pivots", pivots(k, 0).real(), 0,
                    fmt::format("pivot {} opens a 2x2 block that has no second row", k)};
    auto to = Eigen::Index(std::abs(pivots(k, 0).real())) - 1;
    if (to < k || to >= n)
      return Broken{"pivots", pivots(k, 0).real(), double(n), fmt::format("pivot {} is out of range", k)};
    starts.push_back(k);
    d(k, k) = f.hermitian ? std::complex<double>(packed(k, k).real()) : packed(k, k);
    if (!pair) continue;
    d(k + 1, k + 1) = f.hermitian ? std::complex<double>(packed(k + 1, k + 1).real()) : packed(k + 1, k + 1);
    d(k + 1, k) = packed(k + 1, k);
    d(k, k + 1) = f.hermitian ? std::conj(packed(k + 1, k)) : packed(k + 1, k);
  }
  for (size_t s = starts.size(); s-- > 0;) {  // M = P(1) L(1) ( P(2) L(2) ( ... I )): innermost first
    Eigen::Index k = starts[s], width = pivots(k, 0).real() < 0 ? 2 : 1, below = n - k - width;
    if (below > 0) m.bottomRows(below) += packed.block(k + width, k, below, width) * m.middleRows(k, width);
    auto to = Eigen::Index(std::abs(pivots(k, 0).real())) - 1;
    m.row(k + width - 1).swap(m.row(to));
  }
  Matrix right = f.hermitian ? Matrix(m.adjoint()) : Matrix(m.transpose());
  double residual = map_norm(n, [&](const Matrix& x) -> Matrix { return f.a * x - m * (d * (right * x)); });
  return within("reconstruction", residual, f.unit * f.a.norm(), "|A - P L D L' P'|");
}

}  // namespace kbx::judge
