// Eigenvalues and eigenvectors: residual, unit vectors, and every true eigenvalue met once. Order, phases and bases of
// repeated eigenvalues are free (real spectrum: ascending, orthonormal vectors).
// A perturbation of size u |A| moves eigenvalues by at most cond(V) u |A| (Bauer and Fike 1960): that is the matching
// bound.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "judge/factorization.h"

namespace kbx::judge {
namespace {

// Greedy nearest pairs; the largest distance. n^2, n is small for eigenproblems.
double matching_distance(const Matrix& got, const Matrix& truth) {
  std::vector<bool> used(size_t(truth.rows()), false);
  double largest = 0;
  for (Eigen::Index k = 0; k < got.rows(); k++) {
    Eigen::Index nearest = -1;
    double best = std::numeric_limits<double>::infinity();
    for (Eigen::Index j = 0; j < truth.rows(); j++) {
      double d = std::abs(got(k, 0) - truth(j, 0));
      if (!used[size_t(j)] && d < best) best = d, nearest = j;
    }
    if (nearest >= 0) used[size_t(nearest)] = true;
    largest = std::max(largest, best);
  }
  return largest;
}

double condition(const Matrix& v) {
  Eigen::JacobiSVD<Matrix> svd(v);
  double smallest = svd.singularValues().minCoeff();
  return smallest > 0 ? svd.singularValues().maxCoeff() / smallest : std::numeric_limits<double>::infinity();
}

}  // namespace

Checked check_eig(const Factors& f) {
  const Matrix& w = f.got[0];
  double a = f.a.norm();
  bool vectors = f.got.size() > 1;
  if (vectors) {
    const Matrix& v = f.got[1];
    double residual = map_norm(v.cols(), [&](const Matrix& x) -> Matrix {
      Matrix scaled = w.col(0).asDiagonal() * x;
      return f.a * (v * x) - v * scaled;
    });
    if (auto bad = within("eigen_residual", residual, f.unit * a * std::max(1.0, v.norm()), "|A V - V W|")) return bad;
    for (Eigen::Index k = 0; k < v.cols(); k++)
      if (auto bad =
              within("unit_vectors", std::abs(v.col(k).norm() - 1), f.unit, "an eigenvector's distance from length 1"))
        return bad;
    if (f.real_spectrum)
      if (auto bad = within("orthogonality", orthogonality(v), f.unit, "|V'V - I|")) return bad;
  }
  for (Eigen::Index k = 1; f.real_spectrum && k < w.rows(); k++)
    if (w(k, 0).real() < w(k - 1, 0).real())
      return Broken{"order", w(k, 0).real(), w(k - 1, 0).real(),
                    fmt::format("eigenvalue {} is smaller than the one before it", k)};
  if (f.truth.empty() || f.truth[0].rows() != w.rows() || w.rows() == 0) return std::nullopt;
  double sensitivity = f.truth.size() > 1 && !f.real_spectrum ? std::min(condition(f.truth[1]), 1e8) : 1;
  return within("spectrum", matching_distance(w, f.truth[0]), f.unit * a * sensitivity,
                "the largest error of a matched eigenvalue");
}

}  // namespace kbx::judge
