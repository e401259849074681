// What the factorizations share.
#include <fmt/core.h>

#include <cmath>

#include "base/philox.h"
#include "judge/factorization.h"

namespace kbx::judge {
namespace {

constexpr Eigen::Index kProbes = 16;

Matrix probes(Eigen::Index rows) {
  Matrix x(rows, kProbes);
  double size = 1 / std::sqrt(double(kProbes));
  for (Eigen::Index r = 0; r < rows; r++) {
    uint32_t bits = philox4x32_10({uint32_t(r), 0, 0, 0}, {0x6b6278u, 0x70726f62u})[0];
    for (Eigen::Index p = 0; p < kProbes; p++) x(r, p) = (bits >> p) & 1 ? size : -size;
  }
  return x;
}

}  // namespace

double map_norm(Eigen::Index columns, const std::function<Matrix(const Matrix&)>& map) {
  if (columns <= kExactSize) return map(Matrix::Identity(columns, columns)).norm();
  return map(probes(columns)).norm();
}

Checked within(const char* metric, double value, double bound, const char* what) {
  if (value <= bound && std::isfinite(value)) return std::nullopt;  // NaN fails, and so does what is beyond all numbers
  return Broken{metric, value, bound, fmt::format("{} is {:.3g}, above {:.3g}", what, value, bound)};
}

double orthogonality(const Matrix& m) {
  return map_norm(m.cols(), [&](const Matrix& x) -> Matrix { return m.adjoint() * (m * x) - x; });
}

Checked triangle(const Matrix& m, bool lower, const char* name) {
  for (Eigen::Index c = 0; c < m.cols(); c++)
    for (Eigen::Index r = 0; r < m.rows(); r++) {
      bool must_vanish = lower ? r < c : r > c;
      if (!must_vanish || m(r, c) == 0.0) continue;
      return Broken{"triangle", std::abs(m(r, c)), 0,
                    fmt::format("{} is not {} triangular: element [{}, {}] is {:.3g}", name, lower ? "lower" : "upper",
                                r, c, std::abs(m(r, c)))};
    }
  return std::nullopt;
}

}  // namespace kbx::judge
