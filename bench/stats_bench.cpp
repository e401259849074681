// What the analysis of deviance costs: 100,000 trials of 15 categories x 5 methods on 176 tasks, counted, fitted, permuted
// and bootstrapped. stats_bench [TRIALS]
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "stats/deviance.h"
#include "stats/firth.h"
#include "stats/random.h"

namespace {

template <class F>
void timed(const char* what, F f) {
  auto start = std::chrono::steady_clock::now();
  f();
  std::printf("%-56s %9.2f ms\n", what, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
}

}  // namespace

int main(int argc, char** argv) {
  using namespace kbx::stats;
  int count = argc > 1 ? std::atoi(argv[1]) : 0;
  if (count <= 0) count = 100000;  // tools/bench gives every benchmark a python
  Random random(1);
  std::vector<Trial> trials;
  for (int k = 0; k < count; k++) {
    int task = int(random.below(176)), method = int(random.below(5));
    trials.push_back({task % 15, method, task, random.uniform() < 0.2 + 0.04 * (task % 15) + 0.02 * method});
  }
  TrialTable table;
  timed("count_trials", [&] { table = count_trials(trials); });
  Cells cells = cells_of(table);
  timed("fit_binomial, both (19 parameters)", [&] { fit_binomial(design_of(cells, Model::both)); });
  timed("fit_binomial, interaction (75 parameters)", [&] { fit_binomial(design_of(cells, Model::interaction)); });
  timed("fit_firth, both", [&] { fit_firth(design_of(cells, Model::both)); });
  timed("analyse_deviance", [&] { analyse_deviance(table); });
  timed("explained_shares, 1,000 permutations, 2,000 replicates", [&] { explained_shares(table, {.seed = 1}); });
}
