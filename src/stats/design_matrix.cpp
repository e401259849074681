#include "stats/design_matrix.h"

#include <cmath>

#include "base/check.h"

namespace kbx::stats {
namespace {

constexpr double kDependent = 1e-9, kFarthest = 30;

std::vector<size_t> independent_columns(const Eigen::MatrixXd& x) {
  std::vector<size_t> kept;
  Eigen::MatrixXd basis(x.rows(), std::min(x.rows(), x.cols()));
  for (Eigen::Index c = 0; c < x.cols() && Eigen::Index(kept.size()) < basis.cols(); c++) {
    auto known = basis.leftCols(Eigen::Index(kept.size()));
    Eigen::VectorXd rest = x.col(c);
    double length = rest.norm();
    for (int twice = 0; twice < 2; twice++) rest -= known * (known.transpose() * rest);
    if (!(rest.norm() > kDependent * length)) continue;
    basis.col(Eigen::Index(kept.size())) = rest.normalized();
    kept.push_back(size_t(c));
  }
  return kept;
}

// log(1 + exp(t)) without overflow.
double softplus(double t) { return t > 0 ? t + std::log1p(std::exp(-t)) : std::log1p(std::exp(t)); }

}  // namespace

DesignMatrix design_matrix(const BinomialData& data) {
  KBX_CHECK(data.columns > 0 && data.design.size() == data.rows() * data.columns && data.successes.size() == data.rows());
  DesignMatrix d;
  for (size_t r = 0; r < data.rows(); r++) {
    KBX_CHECK(data.successes[r] >= 0 && data.successes[r] <= data.trials[r]);
    if (data.trials[r] > 0) d.rows.push_back(r);
  }
  KBX_CHECK(!d.rows.empty());
  auto rows = Eigen::Index(d.rows.size());
  Eigen::MatrixXd all(rows, Eigen::Index(data.columns));
  d.successes.resize(rows);
  d.trials.resize(rows);
  for (Eigen::Index k = 0; k < rows; k++) {
    size_t r = d.rows[size_t(k)];
    for (size_t c = 0; c < data.columns; c++) all(k, Eigen::Index(c)) = data.design[r * data.columns + c];
    d.successes[k] = data.successes[r];
    d.trials[k] = data.trials[r];
  }
  d.columns = independent_columns(all);
  KBX_CHECK(!d.columns.empty());
  d.x.resize(rows, Eigen::Index(d.columns.size()));
  for (size_t c = 0; c < d.columns.size(); c++) d.x.col(Eigen::Index(c)) = all.col(Eigen::Index(d.columns[c]));
  return d;
}

double log_likelihood(const DesignMatrix& d, const Eigen::VectorXd& eta) {
  double sum = 0;
  for (Eigen::Index k = 0; k < eta.size(); k++)
    sum -= d.successes[k] * softplus(-eta[k]) + (d.trials[k] - d.successes[k]) * softplus(eta[k]);
  return sum;
}

Weights weights_at(const DesignMatrix& d, const Eigen::VectorXd& eta) {
  Weights w{Eigen::VectorXd(eta.size()), Eigen::VectorXd(eta.size())};
  for (Eigen::Index k = 0; k < eta.size(); k++) {
    double near = std::min(std::max(eta[k], -kFarthest), kFarthest);
    w.p[k] = 1 / (1 + std::exp(-near));
    w.root_w[k] = std::sqrt(d.trials[k] * w.p[k] / (1 + std::exp(near)));
  }
  return w;
}

std::vector<Coefficient> coefficients_of(const DesignMatrix& d, size_t columns, const Eigen::VectorXd& b, const Eigen::MatrixXd& r) {
  Eigen::Index p = b.size();
  Eigen::MatrixXd inverse = r.topLeftCorner(p, p).triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(p, p));
  std::vector<Coefficient> out(columns, Coefficient{0, 0, true});
  for (Eigen::Index c = 0; c < p; c++) out[d.columns[size_t(c)]] = {b[c], inverse.row(c).norm(), false};
  return out;
}

}  // namespace kbx::stats
