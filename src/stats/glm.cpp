#include "stats/glm.h"

#include <cmath>

#include "base/check.h"
#include "stats/design_matrix.h"
#include "stats/separation.h"

namespace kbx::stats {
namespace {

constexpr int kMost = 200, kHalvings = 30;
constexpr double kStill = 1e-13, kNearEdge = 1e-5;

struct Search {
  Eigen::VectorXd b, eta;
  double likelihood = 0;
  int iterations = 0;
  bool converged = false;
};

// One weighted least squares step: the change of b that solves min |sqrt(W) X change - (s - n p) / sqrt(W)|.
Eigen::VectorXd step_at(const DesignMatrix& d, const Eigen::VectorXd& eta) {
  Weights w = weights_at(d, eta);
  Eigen::MatrixXd weighted = w.root_w.asDiagonal() * d.x;
  Eigen::VectorXd residual = (d.successes - d.trials.cwiseProduct(w.p)).cwiseQuotient(w.root_w);
  return weighted.householderQr().solve(residual);
}

Search search(const DesignMatrix& d) {
  Search s;
  s.b = Eigen::VectorXd::Zero(d.x.cols());
  s.eta = Eigen::VectorXd::Zero(d.x.rows());
  s.likelihood = log_likelihood(d, s.eta);
  while (s.iterations < kMost && !s.converged) {
    s.iterations++;
    Eigen::VectorXd change = step_at(d, s.eta);
    for (int halving = 0;; halving++, change /= 2) {
      Eigen::VectorXd b = s.b + change, eta = d.x * b;
      double likelihood = log_likelihood(d, eta);
      // A step that neither rises nor can be halved further is the end.
      bool still = std::abs(likelihood - s.likelihood) <= kStill * (std::abs(s.likelihood) + 0.1);
      if (!(likelihood >= s.likelihood) && !still && halving < kHalvings) continue;
      if (halving == kHalvings && !still) return s;
      s = {std::move(b), std::move(eta), likelihood, s.iterations, still};
      break;
    }
  }
  return s;
}

}  // namespace

double common_deviance(double successes, double trials) {
  double failures = trials - successes, sum = 0;
  if (successes > 0) sum += successes * std::log(successes / trials);
  if (failures > 0) sum += failures * std::log(failures / trials);
  return -2 * sum;
}

GlmFit fit_binomial(const BinomialData& data) {
  DesignMatrix d = design_matrix(data);
  Search s = search(d);
  GlmFit fit;
  Weights w = weights_at(d, s.eta);
  Eigen::MatrixXd weighted = w.root_w.asDiagonal() * d.x;
  fit.coefficients = coefficients_of(d, data.columns, s.b, weighted.householderQr().matrixQR());
  fit.deviance = -2 * s.likelihood;
  fit.null_deviance = common_deviance(d.successes.sum(), d.trials.sum());
  fit.parameters = int(d.columns.size());
  fit.iterations = s.iterations;
  fit.converged = s.converged;
  fit.fitted.assign(data.rows(), 0);
  bool near_edge = false;
  for (size_t k = 0; k < d.rows.size(); k++) {
    double p = w.p[Eigen::Index(k)];
    fit.fitted[d.rows[k]] = p;
    near_edge |= p < kNearEdge || p > 1 - kNearEdge;
  }
  // Separated data drive some p to 0 or 1: nothing near the edge, nothing to test.
  if (near_edge) fit.separation = separation_of(d);
  return fit;
}

double fitted_deviance(const BinomialData& data) { return -2 * search(design_matrix(data)).likelihood; }

}  // namespace kbx::stats
