// Chance: bounds that an honest random result breaks with probability at most kFalseAlarm. All are inequalities that
// hold for every sample size (no normal approximation), so small tensors raise no false alarms and large ones are
// tested sharply. With L = ln(2 / kFalseAlarm) = 21.4:
//   binomial  K ~ B(n, q):  P(n KL(K/n || q) >= L) <= 2 exp(-L)          (Chernoff-Hoeffding; Hoeffding 1963, theorem
//   1) sums      independent X_i, |X_i - E X_i| <= M, sum of variances V:
//             P(|sum (X_i - E X_i)| >= t) <= 2 exp(-t^2 / (2 (V + M t / 3)))   (Bernstein; Boucheron, Lugosi, Massart
//             2013, 2.8) so t = M L / 3 + sqrt((M L / 3)^2 + 2 V L)
//   products  independent X_i, Y_i, centred and sub-Gaussian: E exp(l X) <= exp(l^2 s^2 / 2) for every l. Then
//             E exp(l X Y) <= (1 - l^2 a^2)^(-1/2) with a = s_X s_Y, so P(|sum X_i Y_i| >= t) <= 2 exp(-L) at
//             t = sqrt(2 L sum a_i^2) + L max a_i          (sub-gamma; Boucheron, Lugosi, Massart 2013, 2.4)
//             A Bernoulli of probability q has s^2 = (1 - 2q) / (2 ln((1 - q) / q)), n of them n s^2 (Kearns, Saul
//             1998)
//   CDF       P(sup |F_n - F| >= d) <= 2 exp(-2 n d^2)                   (Dvoretzky-Kiefer-Wolfowitz; Massart 1990)
#pragma once
#include <cstdint>
#include <vector>

namespace kbx::judge {

inline constexpr double kFalseAlarm = 1e-9;

// May k successes out of n trials of probability q have happened? q = 0 and 1 are exact; n = 0 always.
bool plausible_count(int64_t k, int64_t n, double q);
// Largest plausible |sum - expected sum|.
double sum_bound(double variance_sum, double largest_deviation);
// Largest plausible |sum of products| of independent pairs whose a_i have this sum of squares and this maximum.
double product_bound(double squares, double largest);
// s^2 of a Bernoulli variable, at most 1/4.
double bernoulli_proxy(double q);
// Largest plausible distance of an empirical CDF from the true one.
double cdf_bound(int64_t n);

// Distances at which independence is tested in a flat tensor of n elements whose rows have `row` elements: 1, the row,
// powers of two from 32 to 65536 (block sizes of kernels: a generator that is seeded alike in every program repeats
// itself there) and n/2; ascending, each below n: what begins again behind 65536 of 70,000 numbers is seen.
std::vector<int64_t> test_distances(int64_t n, int64_t row);
// Pairs (i, i + distance) are disjoint, so independent elements give independent pairs: is i the first of a pair?
inline bool starts_pair(int64_t i, int64_t distance) { return (i / distance) % 2 == 0; }

}  // namespace kbx::judge
