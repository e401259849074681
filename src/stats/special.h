// Special functions that the tests and intervals of this room stand on: the regularised incomplete gamma and beta
// functions, the normal distribution, and tails made of them. Formulas: NIST Digital Library of Mathematical Functions
// (dlmf.nist.gov), whose numbers stand beside each. Within 1e-11 of scipy in the ranges met here
// (tests/stats/against_statsmodels.py).
#pragma once

namespace kbx::stats {

// Q(a, x) = Gamma(a, x) / Gamma(a), a > 0, x >= 0: by the series of the lower function (8.11.4) below x = a + 1, else by
// the continued fraction (8.9.2), evaluated by Lentz's method (3.10(iii)).
double gamma_upper(double a, double x);
// P(chi-square with `degrees` > 0 degrees of freedom > x) = Q(degrees / 2, x / 2). 1 for x <= 0.
double chi_square_tail(double x, double degrees);

// I_x(a, b), a, b > 0, 0 <= x <= 1: continued fraction 8.17.22, from the side where it converges fast (8.17.4).
double beta_regularised(double a, double b, double x);
// The x with I_x(a, b) = p, by bisection to the last bits; 0 <= p <= 1.
double beta_quantile(double a, double b, double p);

// The standard normal distribution (7.2.2, 7.1(ii)): P(Z <= z) and its inverse, 0 < p < 1.
double normal_below(double z);
double normal_quantile(double p);

// P(X <= k) for X ~ binomial(n, p): I_{1-p}(n - k, k + 1) (8.17.5).
double binomial_below(long long k, long long n, double p);

}  // namespace kbx::stats
