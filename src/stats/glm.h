// The binomial generalised linear model with the logit link: log(p / (1 - p)) = x'b for every row, successes ~
// binomial(trials, p). Fitted by iteratively reweighted least squares (McCullagh and Nelder, Generalized Linear Models,
// 2nd ed. 1989, section 2.5), each step a Householder QR of sqrt(W) X, halved while the likelihood falls.
#pragma once
#include <cstddef>
#include <vector>

namespace kbx::stats {

// One row = all trials with the same x: counts need not be spread out, which is what keeps 100,000 trials cheap.
struct BinomialData {
  size_t columns = 0;
  std::vector<double> design;              // rows x columns, row-major; an intercept is a column of ones
  std::vector<double> successes, trials;   // per row; 0 <= successes <= trials; a row without trials counts for nothing

  size_t rows() const { return trials.size(); }
};

// Whether a direction b exists in which every success has x'b >= 0 and every failure x'b <= 0 (Albert and Anderson,
// Biometrika 71, 1984). Then no maximum exists: likelihood grows for ever along b. quasi: some of them 0.
enum class Separation : unsigned char { none, quasi, complete };

struct Coefficient {
  double value = 0, standard_error = 0;  // of the log odds; sqrt of the diagonal of (X'WX)^-1
  bool aliased = false;                  // a combination of columns before it: not estimated, both numbers 0
};

struct GlmFit {
  std::vector<Coefficient> coefficients;  // one a column. Where separated: where the search stopped, without meaning
  // -2 log likelihood of the single trials (not of the rows' counts), so it does not change when rows are merged; the
  // saturated model of single trials has likelihood 1. Where separated: the limit that the maximum approaches.
  double deviance = 0;
  double null_deviance = 0;               // the same with one common p
  int parameters = 0;                     // that were estimated: columns - aliased ones
  Separation separation = Separation::none;
  int iterations = 0;
  bool converged = false;                 // deviance stood still (1e-13 of itself) within 200 iterations
  std::vector<double> fitted;             // p, per row
};

// Data with at least one column and one trial. Columns beyond the rank are found in order, as the first of several
// collinear ones is kept.
GlmFit fit_binomial(const BinomialData& data);

// The same without the exact test for separation (`separation` stays none) and without standard errors: for resampling,
// where only the deviance is asked for.
double fitted_deviance(const BinomialData& data);

// Of n trials with s successes at their common share: -2 (s log(s/n) + (n-s) log(1 - s/n)); 0 where all or none succeed.
double common_deviance(double successes, double trials);

}  // namespace kbx::stats
