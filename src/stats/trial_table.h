// TrialTable: who solved what, counted: per task and method how many candidates there were and how many were right. The
// data of the analysis of deviance (deviance.h). Counting first keeps 100,000 candidates as cheap as 176 tasks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stats/glm.h"

namespace kbx::stats {

// One judged candidate. Labels are indices, from 0, of the caller's lists of names.
struct Trial {
  int category = 0, method = 0, task = 0;
  bool success = false;
};

struct TaskCounts {
  int category = 0;
  std::vector<double> successes, trials;  // per method
};

struct TrialTable {
  int categories = 0, methods = 0;
  std::vector<TaskCounts> tasks;  // those with a trial, in order of their index

  double trials() const;
  double successes() const;
};

// The table's sizes are the largest label + 1. A task belongs to one category: that of its first trial.
TrialTable count_trials(std::span<const Trial> trials);

// What correctness is made to depend on: nothing, the category, the method, both (additive), both and what they do
// together (one p for every pair that was tried).
enum class Model : unsigned char { nothing, category, method, both, interaction };

// Cells (category x method) of the chosen tasks (indices into table.tasks, repeats count again): successes and trials,
// category-major.
struct Cells {
  int categories = 0, methods = 0;
  std::vector<double> successes, trials;
};
Cells cells_of(const TrialTable& table, std::span<const size_t> chosen);
Cells cells_of(const TrialTable& table);

// The design over the cells: an intercept, then a column for every category but the first, for every method but the
// first, for every pair of these; what cannot be estimated is aliased by the fit.
BinomialData design_of(const Cells& cells, Model model);

// Deviance of single trials under the model (glm.h) and the parameters it took. Closed form for all but `both`.
struct CellFit {
  double deviance = 0;
  int parameters = 0;
};
CellFit fit_cells(const Cells& cells, Model model);

}  // namespace kbx::stats
