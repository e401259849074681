#include "stats/deviance.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.h"
#include "stats/random.h"
#include "stats/special.h"

namespace kbx::stats {
namespace {

constexpr std::array kModels = {Model::category, Model::method, Model::both, Model::interaction};

// Streams of one seed: permutations and the bootstrap do not share draws.
enum Stream : uint64_t { permute_categories = 1, permute_methods = 2, permute_both = 3, resample = 4 };

bool says_something(const TrialTable& table) {
  double n = table.trials(), s = table.successes();
  if (s <= 0 || s >= n) return false;
  Cells cells = cells_of(table);
  std::vector<bool> category(size_t(cells.categories), false), method(size_t(cells.methods), false);
  for (size_t k = 0; k < cells.trials.size(); k++)
    if (cells.trials[k] > 0) category[k / size_t(cells.methods)] = method[k % size_t(cells.methods)] = true;
  return std::count(category.begin(), category.end(), true) >= 2 && std::count(method.begin(), method.end(), true) >= 2;
}

double share_of(const Cells& cells, Model model) {
  double nothing = fit_cells(cells, Model::nothing).deviance;
  return nothing > 0 ? 1 - fit_cells(cells, model).deviance / nothing : 0;
}

// Whole tasks change category: what hangs together stays together.
void shuffle_categories(TrialTable& table, Random& random) {
  std::vector<int> labels;
  for (const TaskCounts& t : table.tasks) labels.push_back(t.category);
  random.shuffle(std::span(labels));
  for (size_t k = 0; k < labels.size(); k++) table.tasks[k].category = labels[k];
}

// Within a task, the methods that were tried there change places, each with all its trials.
void shuffle_methods(TrialTable& table, Random& random) {
  for (TaskCounts& t : table.tasks) {
    std::vector<size_t> tried, order;
    for (size_t m = 0; m < t.trials.size(); m++)
      if (t.trials[m] > 0) tried.push_back(m);
    order = tried;
    random.shuffle(std::span(order));
    TaskCounts before = t;
    for (size_t k = 0; k < tried.size(); k++) {
      t.trials[tried[k]] = before.trials[order[k]];
      t.successes[tried[k]] = before.successes[order[k]];
    }
  }
}

TrialTable permuted(const TrialTable& table, Model model, Random& random) {
  TrialTable other = table;
  if (model != Model::method) shuffle_categories(other, random);
  if (model != Model::category) shuffle_methods(other, random);
  return other;
}

Stream stream_of(Model model) {
  return model == Model::category ? permute_categories : model == Model::method ? permute_methods : permute_both;
}

// by_chance and p.
void compare_with_chance(const TrialTable& table, const ChancePlan& plan, SharePart& part) {
  Random random(plan.seed, stream_of(part.model));
  int as_large = 0;
  double sum = 0;
  for (int k = 0; k < plan.permutations; k++) {
    double share = share_of(cells_of(permuted(table, part.model, random)), part.model);
    as_large += share >= part.share - 1e-12 ? 1 : 0;
    sum += share;
  }
  part.by_chance = plan.permutations > 0 ? sum / plan.permutations : 0;
  part.p = double(1 + as_large) / double(1 + plan.permutations);
  part.beyond_chance = (part.share - part.by_chance) / (1 - part.by_chance);
}

// A drop in deviance is about a noncentral chi-square: a share has the mean T + c (truth and chance) and a variance
// proportional to c + 2 T, so the root of share - c / 2 has the mean root(T + c / 2) and a variance that depends on neither.
// That variance is what the bootstrap is asked for; the share itself would mislead it, as the tasks we have already differ by
// chance, and a replicate gains a share by chance once more.
double steady(double share, double by_chance) { return std::sqrt(std::max(share - by_chance / 2, 0.0)); }

Interval beyond_interval(const SharePart& p, double standard_error, double coverage) {
  double half = normal_quantile((1 + coverage) / 2) * standard_error, middle = steady(p.share, p.by_chance);
  auto beyond = [&](double root) { return (root * root - p.by_chance / 2) / (1 - p.by_chance); };
  double low = beyond(std::max(middle - half, 0.0));  // at least -c / 2, which an estimate may be below
  return {std::min(low, p.beyond_chance), std::min(beyond(middle + half), 1.0)};
}

}  // namespace

std::string_view to_text(Model model) {
  switch (model) {
    case Model::nothing: return "nothing";
    case Model::category: return "category";
    case Model::method: return "method";
    case Model::both: return "both";
    case Model::interaction: return "interaction";
  }
  KBX_UNREACHABLE("model");
}

std::optional<DevianceTable> analyse_deviance(const TrialTable& table) {
  if (!says_something(table)) return std::nullopt;
  Cells cells = cells_of(table);
  DevianceTable out{table.trials(), table.successes(), 0, table.tasks.size(), {}, {}};
  CellFit nothing = fit_cells(cells, Model::nothing);
  out.null_deviance = nothing.deviance;
  for (Model model : kModels) {
    CellFit fit = fit_cells(cells, model);
    ModelFit m{model, fit.parameters, fit.deviance, 1 - fit.deviance / nothing.deviance, 0, Separation::none};
    m.adjusted = m.share - double(fit.parameters - 1) / nothing.deviance;
    m.separation = fit_binomial(design_of(cells, model)).separation;
    out.models.push_back(m);
  }
  auto add = [&](Model from, Model to) {
    CellFit a = fit_cells(cells, from), b = fit_cells(cells, to);
    DevianceStep step{from, to, b.parameters - a.parameters, std::max(a.deviance - b.deviance, 0.0), 1};
    if (step.degrees > 0) step.p = chi_square_tail(step.drop, step.degrees);
    out.steps.push_back(step);
  };
  add(Model::nothing, Model::category);
  add(Model::nothing, Model::method);
  add(Model::category, Model::both);
  add(Model::method, Model::both);
  add(Model::both, Model::interaction);
  return out;
}

std::vector<SharePart> explained_shares(const TrialTable& table, const ChancePlan& plan) {
  if (!says_something(table)) return {};
  std::vector<SharePart> parts;
  Cells cells = cells_of(table);
  for (Model model : kModels) {
    SharePart part;
    part.model = model;
    part.share = share_of(cells, model);
    compare_with_chance(table, plan, part);
    parts.push_back(part);
  }
  auto statistic = [&](std::span<const size_t> chosen) -> std::optional<std::vector<double>> {
    Cells some = cells_of(table, chosen);
    if (fit_cells(some, Model::nothing).deviance <= 0) return std::nullopt;
    std::vector<double> roots;
    for (const SharePart& p : parts) roots.push_back(steady(share_of(some, p.model), p.by_chance));
    return roots;
  };
  auto results = cluster_bootstrap(table.tasks.size(), statistic, {plan.seed, resample, plan.replicates, plan.coverage});
  if (results.empty()) return {};
  for (size_t k = 0; k < parts.size(); k++) parts[k].interval = beyond_interval(parts[k], results[k].standard_error, plan.coverage);
  return parts;
}

}  // namespace kbx::stats
