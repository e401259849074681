// Singular values and vectors; signs, phases and bases of repeated singular values are free.
#include <fmt/core.h>

#include "judge/factorization.h"

namespace kbx::judge {
namespace {

Checked check_values(const Matrix& s, const Matrix* truth, double unit) {
  for (Eigen::Index k = 0; k < s.rows(); k++) {
    double value = s(k, 0).real();
    if (!(value >= 0))
      return Broken{"spectrum", value, 0, fmt::format("singular value {} is {:.4g}, negative", k, value)};
    if (k > 0 && value > s(k - 1, 0).real())
      return Broken{"order", value, s(k - 1, 0).real(),
                    fmt::format("singular value {} is larger than the one before it", k)};
  }
  if (!truth || truth->rows() != s.rows() || s.rows() == 0) return std::nullopt;
  return within("spectrum", (s - *truth).cwiseAbs().maxCoeff(), unit * truth->cwiseAbs().maxCoeff(),
                "the largest error of a singular value");
}

}  // namespace

Checked check_svd(const Factors& f) {
  bool values_only = f.got.size() == 1;
  const Matrix& s = f.got[values_only ? 0 : 1];
  const Matrix* truth = f.truth.size() == f.got.size() ? &f.truth[values_only ? 0 : 1] : nullptr;
  if (auto bad = check_values(s, truth, f.unit)) return bad;
  if (values_only) return std::nullopt;
  const Matrix& u = f.got[0];
  const Matrix& vh = f.got[2];
  Eigen::Index k = s.rows();  // full_matrices: the other columns are only orthonormal
  if (u.cols() < k || vh.rows() < k) return Broken{"structure", double(k), 0, "U, S and V have sizes that do not fit"};
  double residual = map_norm(f.a.cols(), [&](const Matrix& x) -> Matrix {
    Matrix scaled = s.col(0).asDiagonal() * (vh.topRows(k) * x);
    return f.a * x - u.leftCols(k) * scaled;
  });
  if (auto bad = within("reconstruction", residual, f.unit * f.a.norm(), "|A - U S V'|")) return bad;
  if (auto bad = within("orthogonality", orthogonality(u), f.unit, "|U'U - I|")) return bad;
  return within("orthogonality", orthogonality(vh.adjoint()), f.unit, "|V'V - I|");
}

}  // namespace kbx::judge
