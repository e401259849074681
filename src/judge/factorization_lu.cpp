// LU with partial pivoting, as three matrices or packed with LAPACK's 1-based row interchanges.
#include <fmt/core.h>

#include <vector>

#include "judge/factorization.h"

namespace kbx::judge {
namespace {

constexpr double kGrowth = 1e-5;  // |l| <= 1 holds exactly in exact pivoting; equal candidates may round either way

bool is_permutation(const Matrix& p) {
  if (p.rows() != p.cols()) return false;
  for (Eigen::Index k = 0; k < p.rows(); k++) {
    Eigen::Index ones = 0, column_ones = 0;
    for (Eigen::Index j = 0; j < p.cols(); j++) {
      if (p(k, j) != 0.0 && p(k, j) != 1.0) return false;
      ones += p(k, j) == 1.0;
      column_ones += p(j, k) == 1.0;
    }
    if (ones != 1 || column_ones != 1) return false;
  }
  return true;
}

Checked check_factors(const Factors& f, const Matrix& permuted, const Matrix& l, const Matrix& u) {
  if (auto bad = triangle(l, true, "L")) return bad;
  if (auto bad = triangle(u, false, "U")) return bad;
  for (Eigen::Index k = 0; k < std::min(l.rows(), l.cols()); k++)
    if (l(k, k) != 1.0)
      return Broken{"unit_diagonal", std::abs(l(k, k)), 1,
                    fmt::format("L[{}, {}] is {:.4g}, not 1", k, k, std::abs(l(k, k)))};
  double largest = l.size() > 0 ? l.cwiseAbs().maxCoeff() : 0;
  if (f.pivot)
    if (auto bad = within("pivoting", largest, 1 + kGrowth, "the largest |L| (partial pivoting keeps it at 1)"))
      return bad;
  double residual = map_norm(f.a.cols(), [&](const Matrix& x) -> Matrix { return permuted * x - l * (u * x); });
  // Backward error of elimination: of the size of |L||U|, not of |A| alone, where elements grow.
  return within("reconstruction", residual, f.unit * std::max(f.a.norm(), f.pivot ? 0.0 : l.norm() * u.norm()),
                "|P'A - LU|");
}

Checked check_packed(const Factors& f) {
  const Matrix& lu = f.got[0];
  Eigen::Index small = std::min(lu.rows(), lu.cols());
  Matrix permuted = f.a;
  for (Eigen::Index k = 0; k < small; k++) {
    auto to = Eigen::Index(f.got[1](k, 0).real()) - 1;
    if (to < k || to >= lu.rows())
      return Broken{"pivots", double(to + 1), double(lu.rows()),
                    fmt::format("pivot {} is {}, outside [{}, {}]", k, to + 1, k + 1, lu.rows())};
    permuted.row(k).swap(permuted.row(to));
  }
  Matrix l = lu.leftCols(small).triangularView<Eigen::StrictlyLower>();
  l.diagonal().setOnes();
  Matrix u = lu.topRows(small).triangularView<Eigen::Upper>();
  return check_factors(f, permuted, l, u);
}

}  // namespace

Checked check_lu(const Factors& f) {
  if (f.got.size() == 2) return check_packed(f);
  const Matrix& p = f.got[0];
  if (p.size() == 0) return check_factors(f, f.a, f.got[1], f.got[2]);  // pivot = false gives an empty P
  if (!is_permutation(p)) return Broken{"permutation", 0, 0, "P is not a permutation matrix"};
  return check_factors(f, p.adjoint() * f.a, f.got[1], f.got[2]);
}

}  // namespace kbx::judge
