#include "stats/firth.h"

#include <cmath>

#include "base/check.h"
#include "stats/design_matrix.h"
#include "stats/special.h"

namespace kbx::stats {
namespace {

constexpr int kMost = 500, kHalvings = 40;
constexpr double kStill = 1e-11, kLongest = 5, kFarthest = 1e3;

struct Point {
  Eigen::VectorXd b;
  double penalised = 0;
  Eigen::VectorXd score;  // U*
  Eigen::MatrixXd r;      // of the QR of sqrt(W) X
};

Point point_at(const DesignMatrix& d, Eigen::VectorXd b) {
  Point at;
  Eigen::VectorXd eta = d.x * b;
  Weights w = weights_at(d, eta);
  Eigen::Index p = d.x.cols();
  auto qr = Eigen::MatrixXd(w.root_w.asDiagonal() * d.x).householderQr();
  at.r = qr.matrixQR().topLeftCorner(p, p).triangularView<Eigen::Upper>();
  Eigen::MatrixXd q = qr.householderQ() * Eigen::MatrixXd::Identity(d.x.rows(), p);
  Eigen::VectorXd half = Eigen::VectorXd::Constant(d.x.rows(), 0.5);
  at.score = d.x.transpose() * (d.successes - d.trials.cwiseProduct(w.p) + q.rowwise().squaredNorm().cwiseProduct(half - w.p));
  at.penalised = log_likelihood(d, eta) + at.r.diagonal().cwiseAbs().array().log().sum();
  at.b = std::move(b);
  return at;
}

// (X'WX)^-1 U*, with the coefficient `fixed` (-1 = none) held where it is.
Eigen::VectorXd step_of(const Point& at, Eigen::Index fixed) {
  Eigen::MatrixXd information = at.r.transpose() * at.r;
  Eigen::VectorXd score = at.score;
  if (fixed >= 0) {
    information.row(fixed).setZero();
    information.col(fixed).setZero();
    information(fixed, fixed) = 1;
    score[fixed] = 0;
  }
  Eigen::VectorXd step = information.ldlt().solve(score);
  double longest = step.cwiseAbs().maxCoeff();
  return longest > kLongest ? Eigen::VectorXd(step * (kLongest / longest)) : step;
}

struct Search {
  Point at;
  int iterations = 0;
  bool converged = false;
};

Search search(const DesignMatrix& d, Eigen::VectorXd from, Eigen::Index fixed) {
  Search s;
  s.at = point_at(d, std::move(from));
  while (s.iterations < kMost && !s.converged) {
    s.iterations++;
    Eigen::VectorXd step = step_of(s.at, fixed);
    for (int halving = 0; halving < kHalvings; halving++, step /= 2) {
      Point next = point_at(d, s.at.b + step);
      s.converged = (d.x * step).cwiseAbs().maxCoeff() <= kStill;
      if (!(next.penalised >= s.at.penalised) && !s.converged) continue;
      s.at = std::move(next);
      break;
    }
  }
  return s;
}

Eigen::Index place_of(const DesignMatrix& d, size_t column) {
  for (size_t c = 0; c < d.columns.size(); c++)
    if (d.columns[c] == column) return Eigen::Index(c);
  return -1;
}

// The value on one side of the maximum where l* has fallen by `fall`; nothing beyond kFarthest.
std::optional<double> end_of(const DesignMatrix& d, const Point& best, Eigen::Index place, double direction, double fall) {
  Eigen::VectorXd b = best.b;
  auto fallen = [&](double value) {
    b[place] = value;
    Search s = search(d, b, place);
    b = s.at.b;
    return best.penalised - s.at.penalised >= fall;
  };
  double inside = best.b[place], step = 1, outside = inside + direction * step;
  while (!fallen(outside)) {
    inside = outside;
    if (std::abs(outside += direction * (step *= 2)) > kFarthest) return std::nullopt;
  }
  b = best.b;
  for (int k = 0; k < 60 && std::abs(outside - inside) > 1e-10 * (1 + std::abs(inside)); k++) {
    double middle = (inside + outside) / 2;
    (fallen(middle) ? outside : inside) = middle;
  }
  return (inside + outside) / 2;
}

}  // namespace

FirthFit fit_firth(const BinomialData& data) {
  DesignMatrix d = design_matrix(data);
  Search s = search(d, Eigen::VectorXd::Zero(d.x.cols()), -1);
  FirthFit fit;
  fit.coefficients = coefficients_of(d, data.columns, s.at.b, s.at.r);
  fit.penalised_likelihood = s.at.penalised;
  fit.deviance = -2 * log_likelihood(d, d.x * s.at.b);
  fit.parameters = int(d.columns.size());
  fit.iterations = s.iterations;
  fit.converged = s.converged;
  return fit;
}

std::optional<Interval> firth_interval(const BinomialData& data, size_t column, double coverage) {
  DesignMatrix d = design_matrix(data);
  Eigen::Index place = place_of(d, column);
  if (place < 0) return std::nullopt;
  Search s = search(d, Eigen::VectorXd::Zero(d.x.cols()), -1);
  double z = normal_quantile((1 + coverage) / 2);
  auto low = end_of(d, s.at, place, -1, z * z / 2), high = end_of(d, s.at, place, +1, z * z / 2);
  if (!low || !high) return std::nullopt;
  return Interval{*low, *high};
}

}  // namespace kbx::stats
