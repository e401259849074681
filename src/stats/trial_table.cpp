#include "stats/trial_table.h"

#include <algorithm>
#include <map>

#include "base/check.h"

namespace kbx::stats {
namespace {

// One p a group of cells: the sum of the groups' common deviances.
template <class GroupOf>
CellFit grouped(const Cells& cells, size_t groups, GroupOf group_of) {
  std::vector<double> successes(groups, 0), trials(groups, 0);
  for (size_t k = 0; k < cells.trials.size(); k++) {
    successes[group_of(k)] += cells.successes[k];
    trials[group_of(k)] += cells.trials[k];
  }
  CellFit fit;
  for (size_t g = 0; g < groups; g++) {
    if (trials[g] == 0) continue;
    fit.deviance += common_deviance(successes[g], trials[g]);
    fit.parameters++;
  }
  return fit;
}

// Parameters of the additive model: levels seen of both, less one for every connected block of the two-way layout.
int additive_parameters(const Cells& cells) {
  auto methods = size_t(cells.methods), nodes = size_t(cells.categories) + methods;
  std::vector<size_t> block(nodes);
  for (size_t k = 0; k < nodes; k++) block[k] = k;
  auto root = [&](size_t k) {
    while (block[k] != k) k = block[k];
    return k;
  };
  std::vector<bool> seen(nodes, false);
  for (size_t k = 0; k < cells.trials.size(); k++) {
    if (cells.trials[k] == 0) continue;
    size_t category = k / methods, method = size_t(cells.categories) + k % methods;
    seen[category] = seen[method] = true;
    block[root(category)] = root(method);
  }
  int parameters = 0;
  for (size_t k = 0; k < nodes; k++)
    if (seen[k]) parameters += root(k) == k ? 0 : 1;
  return parameters;
}

}  // namespace

double TrialTable::trials() const {
  double sum = 0;
  for (const TaskCounts& t : tasks)
    for (double n : t.trials) sum += n;
  return sum;
}

double TrialTable::successes() const {
  double sum = 0;
  for (const TaskCounts& t : tasks)
    for (double n : t.successes) sum += n;
  return sum;
}

TrialTable count_trials(std::span<const Trial> trials) {
  TrialTable table;
  for (const Trial& t : trials) {
    KBX_CHECK(t.category >= 0 && t.method >= 0 && t.task >= 0);
    table.categories = std::max(table.categories, t.category + 1);
    table.methods = std::max(table.methods, t.method + 1);
  }
  std::map<int, TaskCounts> tasks;
  for (const Trial& t : trials) {
    auto [at, fresh] = tasks.try_emplace(t.task);
    TaskCounts& counts = at->second;
    if (fresh) counts = {t.category, std::vector<double>(size_t(table.methods), 0), std::vector<double>(size_t(table.methods), 0)};
    counts.trials[size_t(t.method)]++;
    counts.successes[size_t(t.method)] += t.success ? 1 : 0;
  }
  for (auto& [task, counts] : tasks) table.tasks.push_back(std::move(counts));
  return table;
}

Cells cells_of(const TrialTable& table, std::span<const size_t> chosen) {
  Cells cells{table.categories, table.methods, {}, {}};
  cells.successes.assign(size_t(table.categories * table.methods), 0);
  cells.trials = cells.successes;
  for (size_t index : chosen) {
    const TaskCounts& t = table.tasks[index];
    for (size_t m = 0; m < size_t(table.methods); m++) {
      size_t cell = size_t(t.category * table.methods) + m;
      cells.successes[cell] += t.successes[m];
      cells.trials[cell] += t.trials[m];
    }
  }
  return cells;
}

Cells cells_of(const TrialTable& table) {
  std::vector<size_t> all(table.tasks.size());
  for (size_t k = 0; k < all.size(); k++) all[k] = k;
  return cells_of(table, all);
}

BinomialData design_of(const Cells& cells, Model model) {
  auto a = size_t(cells.categories), b = size_t(cells.methods);
  bool by_category = model != Model::nothing && model != Model::method, by_method = model != Model::nothing && model != Model::category;
  bool pairs = model == Model::interaction;
  BinomialData data;
  data.columns = 1 + (by_category ? a - 1 : 0) + (by_method ? b - 1 : 0) + (pairs ? (a - 1) * (b - 1) : 0);
  data.successes = cells.successes;
  data.trials = cells.trials;
  data.design.assign(a * b * data.columns, 0);
  for (size_t cell = 0; cell < a * b; cell++) {
    double* row = &data.design[cell * data.columns];
    size_t category = cell / b, method = cell % b, at = 1;
    row[0] = 1;
    if (by_category) {
      if (category > 0) row[at + category - 1] = 1;
      at += a - 1;
    }
    if (by_method) {
      if (method > 0) row[at + method - 1] = 1;
      at += b - 1;
    }
    if (pairs && category > 0 && method > 0) row[at + (category - 1) * (b - 1) + method - 1] = 1;
  }
  return data;
}

CellFit fit_cells(const Cells& cells, Model model) {
  auto methods = size_t(cells.methods);
  switch (model) {
    case Model::nothing: return grouped(cells, 1, [](size_t) { return size_t{0}; });
    case Model::category: return grouped(cells, size_t(cells.categories), [&](size_t k) { return k / methods; });
    case Model::method: return grouped(cells, methods, [&](size_t k) { return k % methods; });
    case Model::interaction: return grouped(cells, cells.trials.size(), [](size_t k) { return k; });
    case Model::both: return {fitted_deviance(design_of(cells, Model::both)), additive_parameters(cells)};
  }
  KBX_UNREACHABLE("model");
}

}  // namespace kbx::stats
