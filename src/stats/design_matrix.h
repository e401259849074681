// What the fits of this room share: a design's independent columns and the binomial likelihood on them. For the bodies
// of glm, firth and separation; Eigen does not leave the room.
#pragma once
#include <Eigen/Dense>
#include <vector>

#include "stats/glm.h"

namespace kbx::stats {

struct DesignMatrix {
  Eigen::MatrixXd x;                // rows with trials, columns that are independent of those before
  Eigen::VectorXd successes, trials;
  std::vector<size_t> rows;         // of the data, per row of x
  std::vector<size_t> columns;      // of the data, per column of x
};

// A column is dependent when less than 1e-9 of its length is left beside those before it (Gram and Schmidt, twice).
DesignMatrix design_matrix(const BinomialData& data);

// Log likelihood of single trials at linear predictors eta; finite for every eta.
double log_likelihood(const DesignMatrix& d, const Eigen::VectorXd& eta);

// p = 1 / (1 + exp(-eta)) and the weights trials p (1 - p), which stay above 0: eta is cut at +-30 for them.
struct Weights {
  Eigen::VectorXd p, root_w;  // root_w = sqrt(weight)
};
Weights weights_at(const DesignMatrix& d, const Eigen::VectorXd& eta);

// Coefficients in the data's columns; standard errors from R of the QR of sqrt(W) X.
std::vector<Coefficient> coefficients_of(const DesignMatrix& d, size_t columns, const Eigen::VectorXd& b, const Eigen::MatrixXd& r);

}  // namespace kbx::stats
