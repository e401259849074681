// Firth's penalised likelihood for binomial data: l*(b) = l(b) + log det(X'WX) / 2, which has a maximum where the plain
// likelihood has none (Firth, Biometrika 80, 1993; Heinze and Schemper, "A solution to the problem of separation in
// logistic regression", Statistics in Medicine 21, 2002). Newton steps on the modified score
//   U*(b) = X' (s - n p + h (1/2 - p)),  h = diagonal of sqrt(W) X (X'WX)^-1 X' sqrt(W), summed over a row's trials.
#pragma once
#include <optional>

#include "stats/glm.h"
#include "stats/interval.h"

namespace kbx::stats {

struct FirthFit {
  std::vector<Coefficient> coefficients;  // standard errors from (X'WX)^-1 at the estimate
  double penalised_likelihood = 0;        // l*, of single trials
  double deviance = 0;                    // -2 l at the estimate: above that of the plain fit
  int parameters = 0, iterations = 0;
  bool converged = false;                 // the last step moved no linear predictor by more than 1e-11
};

FirthFit fit_firth(const BinomialData& data);

// Profile interval of one coefficient (Heinze and Schemper, section 2.3): the values that the penalised likelihood ratio
// test at 1 - coverage does not refuse, the others maximised over. Honest where a Wald interval is not: near separation
// the likelihood is lopsided. Nothing for an aliased column, or where a side has no end (|value| above 1e3).
std::optional<Interval> firth_interval(const BinomialData& data, size_t column, double coverage = 0.95);

}  // namespace kbx::stats
