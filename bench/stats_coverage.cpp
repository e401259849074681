// How often the 95 % intervals of src/stats hold the truth, in simulated data: prints one line an interval.
//   stats_coverage [DATASETS [SEED [shares]]]   1,000 data sets by default; `shares`: the last tables alone. docs/statistics.md
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>

#include "stats/deviance.h"
#include "stats/firth.h"
#include "stats/geometric_mean.h"
#include "stats/glm.h"
#include "stats/proportion.h"
#include "stats/quantile.h"
#include "stats/random.h"
#include "stats/rank_correlation.h"
#include "stats/special.h"
#include "stats/task_means.h"

namespace kbx::stats {
namespace {

double logistic(double eta) { return 1 / (1 + std::exp(-eta)); }

// A stream for every name: FNV-1a.
uint64_t stream_of(const char* name) {
  uint64_t h = 0xcbf29ce484222325u;
  for (; *name; name++) h = (h ^ uint64_t(static_cast<unsigned char>(*name))) * 0x100000001b3u;
  return h;
}

using Holds = std::function<std::optional<bool>(Random&)>;  // one data set: whether the interval held the truth

void row(const char* what, int datasets, uint64_t seed, const Holds& holds) {
  Random random(seed, stream_of(what));
  int held = 0, said = 0;
  for (int k = 0; k < datasets; k++)
    if (auto h = holds(random)) held += *h ? 1 : 0, said++;
  std::printf("%-64s %5.1f %%  of %d data sets\n", what, 100.0 * held / said, said);
  std::fflush(stdout);
}

int64_t successes(Random& random, int64_t n, double p) {
  int64_t s = 0;
  for (int64_t k = 0; k < n; k++) s += random.uniform() < p ? 1 : 0;
  return s;
}

// Two covariates, 150 trials, true coefficients -0.5, 1, -0.7: the second's interval.
BinomialData logistic_data(Random& random, int n) {
  BinomialData d;
  d.columns = 3;
  for (int k = 0; k < n; k++) {
    double a = random.normal(), b = random.normal();
    d.design.insert(d.design.end(), {1, a, b});
    d.trials.push_back(1);
    d.successes.push_back(random.uniform() < logistic(-0.5 + a - 0.7 * b) ? 1 : 0);
  }
  return d;
}

std::optional<bool> wald(Random& random) {
  GlmFit fit = fit_binomial(logistic_data(random, 150));
  if (fit.separation != Separation::none) return std::nullopt;
  return std::abs(fit.coefficients[1].value - 1) <= normal_quantile(0.975) * fit.coefficients[1].standard_error;
}

std::optional<bool> firth(Random& random) {
  auto interval = firth_interval(logistic_data(random, 30), 1);
  if (!interval) return std::nullopt;
  return interval->holds(1);
}

// Tasks of their own difficulty, ten samples each; truth: the mean of 1 - (1 - p)^k over all tasks there are.
std::optional<bool> pass_mean(Random& random, int64_t k, double truth, uint64_t seed) {
  std::vector<TaskSamples> tasks;
  for (int t = 0; t < 60; t++) tasks.push_back({10, successes(random, 10, logistic(-0.5 + 1.5 * random.normal()))});
  auto p = mean_pass_at_k(tasks, k, {.seed = seed, .replicates = 1000});
  if (!p) return std::nullopt;
  return p->mean.interval.holds(truth);
}

// The mean of f over a standard normal variable.
template <class F>
double normal_mean(F f) {
  double sum = 0, weight = 0;
  for (int k = -4000; k <= 4000; k++) {
    double z = k / 500.0, w = std::exp(-z * z / 2);
    sum += w * f(z);
    weight += w;
  }
  return sum / weight;
}

// A suite of tasks that differ (their results hang together), with an effect of the category and one of the method.
struct World {
  int categories, methods, tasks_each, samples;
  double category_effect, method_effect, task_effect;

  double eta(int c, int m) const {
    return category_effect * (2.0 * c / (categories - 1) - 1) + method_effect * (2.0 * m / (methods - 1) - 1);
  }
  double p(int c, int m) const {
    return normal_mean([&](double z) { return logistic(eta(c, m) + task_effect * z); });
  }
  // The share explained in the whole population of tasks.
  double truth(Model model) const {
    Cells cells{categories, methods, {}, {}};
    for (int c = 0; c < categories; c++)
      for (int m = 0; m < methods; m++) cells.trials.push_back(1), cells.successes.push_back(p(c, m));
    return 1 - fit_cells(cells, model).deviance / fit_cells(cells, Model::nothing).deviance;
  }
  TrialTable draw(Random& random) const {
    std::vector<Trial> trials;
    for (int t = 0; t < categories * tasks_each; t++) {
      double own = task_effect * random.normal();
      for (int m = 0; m < methods; m++)
        for (int s = 0; s < samples; s++)
          trials.push_back({t % categories, m, t, random.uniform() < logistic(eta(t % categories, m) + own)});
    }
    return count_trials(trials);
  }
};

void shares(const char* name, const World& world, int datasets, uint64_t seed) {
  constexpr Model models[] = {Model::category, Model::method, Model::both, Model::interaction};
  int held[4] = {}, false_alarms[4] = {}, said = 0;
  double sum[4] = {}, plain[4] = {};
  Random random(seed, 77);
  for (int k = 0; k < datasets; k++) {
    auto parts = explained_shares(world.draw(random), {.seed = seed + uint64_t(k), .permutations = 100, .replicates = 400});
    if (parts.empty()) continue;
    said++;
    for (int m = 0; m < 4; m++) {
      held[m] += parts[size_t(m)].interval.holds(world.truth(models[m])) ? 1 : 0;
      false_alarms[m] += parts[size_t(m)].p <= 0.05 ? 1 : 0;
      sum[m] += parts[size_t(m)].beyond_chance;
      plain[m] += parts[size_t(m)].share;
    }
  }
  std::printf("%s, %d data sets\n", name, said);
  for (int m = 0; m < 4; m++)
    std::printf("  %-12s truth %.4f, mean share %.4f, mean beyond chance %.4f, held %5.1f %%, p <= 0.05 in %5.1f %%\n", std::string(to_text(models[m])).c_str(),
                world.truth(models[m]), plain[m] / said, sum[m] / said, 100.0 * held[m] / said, 100.0 * false_alarms[m] / said);
  std::fflush(stdout);
}

void correlations(int datasets, uint64_t seed) {
  // Of a normal pair with correlation r: rho = 6/pi asin(r/2), tau = 2/pi asin(r).
  for (double r : {0.0, 0.6, 0.9}) {
    double rho = 6 / std::numbers::pi * std::asin(r / 2), tau = 2 / std::numbers::pi * std::asin(r);
    auto pair = [r](Random& random) {
      std::vector<double> a, b;
      for (int k = 0; k < 40; k++) {
        a.push_back(random.normal());
        b.push_back(r * a.back() + std::sqrt(1 - r * r) * random.normal());
      }
      return rank_correlation(a, b);
    };
    char name[80];
    std::snprintf(name, sizeof name, "Spearman, 40 pairs, r = %.1f", r);
    row(name, datasets, seed, [&](Random& random) { return std::optional(pair(random)->spearman.interval.holds(rho)); });
    std::snprintf(name, sizeof name, "Kendall, 40 pairs, r = %.1f", r);
    row(name, datasets, seed, [&](Random& random) { return std::optional(pair(random)->kendall.interval.holds(tau)); });
  }
}

void simple(int datasets, uint64_t seed) {
  for (double p : {0.1, 0.3, 0.5}) {
    char name[80];
    std::snprintf(name, sizeof name, "Wilson, n = 60, p = %.1f", p);
    row(name, datasets, seed, [p](Random& random) { return std::optional(wilson_interval(successes(random, 60, p), 60)->holds(p)); });
    std::snprintf(name, sizeof name, "Clopper-Pearson (never below), n = 60, p = %.1f", p);
    row(name, datasets, seed, [p](Random& random) { return std::optional(clopper_pearson_interval(successes(random, 60, p), 60)->holds(p)); });
  }
  row("geometric mean, 20 lognormal speedups", datasets, seed, [](Random& random) {
    std::vector<double> v;
    for (int k = 0; k < 20; k++) v.push_back(std::exp(0.3 + 0.6 * random.normal()));
    return std::optional(geometric_mean_estimate(v)->interval.holds(std::exp(0.3)));
  });
  row("median by order statistics (never below), 60 values", datasets, seed, [](Random& random) {
    std::vector<double> v;
    for (int k = 0; k < 60; k++) v.push_back(random.normal());
    return std::optional(quantile_interval(v, 0.5)->holds(0));
  });
}

void fits(int datasets, uint64_t seed) {
  row("GLM coefficient, Wald, 150 trials", datasets, seed, wald);
  row("GLM coefficient, Firth's profile, 30 trials", datasets, seed, firth);
  for (int64_t k : {1, 5}) {
    double truth = normal_mean([k](double z) { return 1 - std::pow(1 - logistic(-0.5 + 1.5 * z), double(k)); });
    char name[80];
    std::snprintf(name, sizeof name, "mean pass@%d over 60 tasks, BCa over tasks", int(k));
    row(name, datasets, seed, [&](Random& random) { return pass_mean(random, k, truth, random.next()); });
  }
}

}  // namespace
}  // namespace kbx::stats

int main(int argc, char** argv) {
  using namespace kbx::stats;
  int datasets = argc > 1 ? std::atoi(argv[1]) : 1000;
  uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  if (argc <= 3 || std::string_view(argv[3]) != "shares") {
    simple(datasets, seed);
    correlations(datasets, seed);
    fits(datasets, seed);
  }
  shares("explained share: 6 categories x 10 tasks, 4 methods x 2 samples", {6, 4, 10, 2, 1, 0.5, 1}, datasets, seed);
  shares("explained share: 15 categories x 12 tasks, 5 methods", {15, 5, 12, 1, 1, 0.3, 1}, datasets, seed);
  shares("explained share: the same, labels without effect", {15, 5, 12, 1, 0, 0, 1}, datasets, seed);
}
