// How much of whether a candidate is right do the task's category and the method explain? Analysis of deviance of a
// binomial GLM, and what of it is more than chance.
//   share     R2(M) = 1 - D(M) / D(nothing)                           (deviances of single trials, glm.h)
//   adjusted  (D(nothing) - D(M) - k) / D(nothing), k = parameters - 1: under no effect the drop is chi-square with k degrees,
//             so k is what chance alone takes (Mittlboeck and Waldhoer, Comp. Stat. & Data Analysis 34, 2000, for the deviance R2)
//   by_chance mean share after the labels are permuted: whole tasks change category, methods change places within a task.
//             Results on one task hang together, so chance takes more than k; `adjusted` does not know that, this does.
//   beyond    (share - by_chance) / (1 - by_chance), the form of the adjusted R2 of linear models (Ezekiel 1930), whose
//             share by chance is k / (n - 1)
// 15 categories have more parameters than 5 methods: compare what is left, not the shares.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "stats/bootstrap.h"
#include "stats/trial_table.h"

namespace kbx::stats {

struct ModelFit {
  Model model = Model::nothing;
  int parameters = 0;
  double deviance = 0, share = 0, adjusted = 0;
  Separation separation = Separation::none;  // some level never or always succeeds: coefficients by Firth (firth.h)
};

// One step: a model and the larger one that it lies in. p by the chi-square distribution of `drop` with `degrees`; it
// takes trials as independent, which trials on one task are not: read it beside the permutation's.
struct DevianceStep {
  Model from = Model::nothing, to = Model::nothing;
  int degrees = 0;
  double drop = 0, p = 1;
};

struct DevianceTable {
  double trials = 0, successes = 0, null_deviance = 0;
  size_t tasks = 0;
  std::vector<ModelFit> models;     // category, method, both, interaction
  std::vector<DevianceStep> steps;  // nothing->category, nothing->method, category->both, method->both, both->interaction
};

// Nothing when all trials or none succeeded (there is nothing to explain), or with fewer than two categories or methods
// that were tried.
std::optional<DevianceTable> analyse_deviance(const TrialTable& table);

struct ChancePlan {
  uint64_t seed = 0;
  int permutations = 1000;
  int replicates = 2000;  // of the bootstrap
  double coverage = 0.95;
};

struct SharePart {
  Model model = Model::nothing;
  double share = 0, by_chance = 0;
  double beyond_chance = 0;         // (share - by_chance) / (1 - by_chance): 0 = chance, 1 = everything; may be below 0
  double p = 1;                     // (1 + permutations with a share at least as large) / (1 + permutations)
  Interval interval;                // of beyond_chance, bootstrap over tasks (docs/statistics.md: how, and how often it holds)
};

// category, method, both, interaction. Permuted: the category's labels for `category`, the method's for `method`, both for
// the others. Empty where analyse_deviance() says nothing or the bootstrap does.
std::vector<SharePart> explained_shares(const TrialTable& table, const ChancePlan& plan);

std::string_view to_text(Model model);

}  // namespace kbx::stats
