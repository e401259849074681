// Uniform random numbers on [0, 1).
//   mean:        X - 1/2: variance 1/12, |.| <= 1/2
//   variance:    (X - 1/2)^2: mean 1/12, variance 1/80 - 1/144 = 1/180, deviation <= 1/6
//   correlation: (X - 1/2)(Y - 1/2): mean 0, variance 1/144, |.| <= 1/4
// each a sum_bound() of chance.h; every bound gains one grid step of the dtype an element (rounding to the format).
#include <fmt/core.h>

#include <array>
#include <cmath>

#include "judge/chance.h"
#include "judge/explain.h"
#include "judge/statistical.h"

namespace kbx::judge {
namespace {

constexpr int kEdges = 4096;

double grid_of(Dtype dtype) { return epsilon_of(dtype) / 2; }

constexpr size_t kMostBits = 33;

// Leading binary digits that must be balanced.
int tested_bits(Dtype dtype) {
  switch (dtype) {
    case Dtype::f64:
      return 33;  // more than one word of a generator gives
    case Dtype::f32:
      return 23;
    case Dtype::f16:
      return 10;
    case Dtype::bf16:
      return 7;
    default:
      return 2;
  }
}

void check_range(Judgement& j, const View& view, const std::vector<double>& x) {
  for (size_t k = 0; k < x.size(); k++) {
    if (x[k] >= 0 && x[k] < 1) continue;
    j.index = index_of(int64_t(k), view.shape());
    fail_check(j, "range", x[k], 0, 1, fmt::format("element {} is {}, outside [0, 1)", k, number_text(x[k])));
    return;
  }
}

void check_cdf(Judgement& j, const std::vector<double>& x, double grid) {
  std::vector<int64_t> bins(kEdges, 0);
  for (double v : x) bins[size_t(v * kEdges)]++;
  double bound = cdf_bound(int64_t(x.size())) + grid, largest = 0;
  int64_t below = 0;
  for (int k = 0; k < kEdges; k++) {
    below += bins[size_t(k)];
    largest = std::max(largest, std::abs(double(below) / double(x.size()) - double(k + 1) / kEdges));
  }
  if (largest > bound)
    fail_check(
        j, "ks", largest, 0, bound,
        fmt::format("the distribution is {:.3g} away from uniform (Kolmogorov-Smirnov), at most {:.3g} is chance",
                    largest, bound));
}

void check_moments(Judgement& j, const std::vector<double>& x, double grid) {
  double n = double(x.size()), sum = 0, square = 0;
  for (double v : x) sum += v - 0.5, square += (v - 0.5) * (v - 0.5) - 1.0 / 12;
  double mean_bound = sum_bound(n / 12, 0.5) / n + grid, variance_bound = sum_bound(n / 180, 1.0 / 6) / n + grid;
  if (std::abs(sum / n) > mean_bound)
    fail_check(j, "mean", 0.5 + sum / n, 0.5, mean_bound,
               fmt::format("the mean is {:.5g}, not 0.5 within {:.2g}", 0.5 + sum / n, mean_bound));
  if (std::abs(square / n) > variance_bound)
    fail_check(j, "variance", 1.0 / 12 + square / n, 1.0 / 12, variance_bound,
               fmt::format("the variance is {:.5g}, not 1/12 within {:.2g}", 1.0 / 12 + square / n, variance_bound));
}

// Pairs (a_i, b_i) of numbers that should be independent.
struct Correlation {
  double sum = 0, pairs = 0;
  void add(double a, double b) { sum += (a - 0.5) * (b - 0.5), pairs++; }
  double bound(double grid) const { return sum_bound(pairs / 144, 0.25) / std::max(pairs, 1.0) + grid; }
  double value() const { return sum / std::max(pairs, 1.0); }
};

void check_distances(Judgement& j, const std::vector<double>& x, int64_t row, double grid) {
  for (int64_t d : test_distances(int64_t(x.size()), row)) {
    Correlation c;
    for (size_t k = 0; k + size_t(d) < x.size(); k++)
      if (starts_pair(int64_t(k), d)) c.add(x[k], x[k + size_t(d)]);
    if (std::abs(c.value()) > c.bound(grid))
      fail_check(j, "correlation", 12 * c.value(), 0, 12 * c.bound(grid),
                 fmt::format("numbers {} apart correlate: {:.3g}, at most {:.2g} is chance", d, 12 * c.value(),
                             12 * c.bound(grid)));
  }
}

void check_bits(Judgement& j, const std::vector<double>& x, int bits) {
  std::array<int64_t, kMostBits> ones{};
  for (double v : x) {
    auto word = uint64_t(v * double(uint64_t(1) << kMostBits));
    for (size_t b = 0; b < kMostBits; b++) ones[b] += int64_t((word >> (kMostBits - 1 - b)) & 1);
  }
  for (int b = 0; b < bits; b++)
    if (!plausible_count(ones[size_t(b)], int64_t(x.size()), 0.5))
      fail_check(j, "bits", double(ones[size_t(b)]) / double(x.size()), 0.5, kFalseAlarm,
                 fmt::format("bit 2^-{} is set in {} of {} numbers", b + 1, ones[size_t(b)], x.size()));
}

}  // namespace

Judgement judge_uniform(const Evidence& e, const Oracle& oracle) {
  Judgement j = begin(e, oracle, Profile::kbx);
  View got(leaf_tensor(*e.got));
  if (!is_floating(got.dtype())) return not_judged(std::move(j), "uniform numbers of a dtype that is not floating");
  std::vector<double> x = got.all();
  j.metrics.count = int64_t(x.size());
  if (x.empty()) return j;
  double grid = grid_of(got.dtype());
  check_range(j, got, x);
  if (j.verdict != Verdict::correct) {
    if (std::isnan(j.got)) j.metric = "nan";
    return j;
  }
  check_cdf(j, x, grid);
  check_moments(j, x, grid);
  check_distances(j, x, row_length(got), grid);
  check_bits(j, x, tested_bits(got.dtype()));
  if (e.got_again && !has_generator(e) && !check_structure(e.path, *e.got_again, *e.eager)) {
    std::vector<double> y = View(leaf_tensor(*e.got_again)).all();
    Correlation c;
    for (size_t k = 0; k < x.size(); k++) c.add(x[k], y[k]);
    // Equal numbers are never chance once the pairs can take kFalseAlarm of all values.
    bool same = x == y && double(x.size()) * -std::log2(grid) > 31;
    if (same || std::abs(c.value()) > c.bound(grid))
      fail_check(j, "two_calls", 12 * c.value(), 0, 12 * c.bound(grid),
                 same ? "a second call gives the same numbers" : "a second call's numbers correlate with the first's");
  }
  return j;
}

}  // namespace kbx::judge
