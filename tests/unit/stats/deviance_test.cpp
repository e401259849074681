// The analysis of deviance: shares, chance and intervals on tables whose answer is known.
#include "stats/deviance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/random.h"

namespace kbx::stats {
namespace {

// `each` tasks a category, one trial a method and task, right with the chance that p(category, method) gives.
template <class P>
TrialTable drawn(int categories, int methods, int each, uint64_t seed, P p) {
  Random random(seed);
  std::vector<Trial> trials;
  for (int t = 0; t < categories * each; t++)
    for (int m = 0; m < methods; m++) trials.push_back({t % categories, m, t, random.uniform() < p(t % categories, m)});
  return count_trials(trials);
}

const ModelFit& fit_of(const DevianceTable& table, Model model) {
  for (const ModelFit& m : table.models)
    if (m.model == model) return m;
  ADD_FAILURE();
  return table.models[0];
}

TEST(CountTrials, counts_by_task_and_method) {
  std::vector<Trial> trials = {{1, 0, 7, true}, {1, 0, 7, false}, {0, 1, 3, true}};
  TrialTable table = count_trials(trials);
  ASSERT_EQ(table.tasks.size(), 2u);
  EXPECT_EQ(table.categories, 2);
  EXPECT_EQ(table.methods, 2);
  EXPECT_EQ(table.tasks[1].category, 1);
  EXPECT_EQ(table.tasks[1].trials, (std::vector<double>{2, 0}));
  EXPECT_EQ(table.tasks[1].successes, (std::vector<double>{1, 0}));
  EXPECT_EQ(table.trials(), 3);
  EXPECT_EQ(table.successes(), 2);
}

TEST(AnalyseDeviance, gives_the_category_everything_where_it_decides) {
  auto table = analyse_deviance(drawn(4, 3, 5, 1, [](int c, int) { return c % 2; }));
  ASSERT_TRUE(table);
  EXPECT_NEAR(fit_of(*table, Model::category).share, 1, 1e-9);
  EXPECT_NEAR(fit_of(*table, Model::method).share, 0, 1e-9);
  EXPECT_EQ(fit_of(*table, Model::category).separation, Separation::complete);
  EXPECT_EQ(fit_of(*table, Model::method).separation, Separation::none);
}

TEST(AnalyseDeviance, counts_parameters_and_degrees) {
  auto table = analyse_deviance(drawn(4, 3, 5, 2, [](int, int) { return 0.5; }));
  ASSERT_TRUE(table);
  EXPECT_EQ(fit_of(*table, Model::category).parameters, 4);
  EXPECT_EQ(fit_of(*table, Model::method).parameters, 3);
  EXPECT_EQ(fit_of(*table, Model::both).parameters, 6);
  EXPECT_EQ(fit_of(*table, Model::interaction).parameters, 12);
  ASSERT_EQ(table->steps.size(), 5u);
  int degrees[] = {3, 2, 2, 3, 6};
  for (size_t k = 0; k < 5; k++) EXPECT_EQ(table->steps[k].degrees, degrees[k]);
  // Drops add up along either way to the full model.
  EXPECT_NEAR(table->steps[0].drop + table->steps[2].drop, table->steps[1].drop + table->steps[3].drop, 1e-9);
}

TEST(AnalyseDeviance, counts_parameters_of_methods_that_saw_other_categories) {
  // Two blocks without a common method: one parameter less.
  std::vector<Trial> trials;
  for (int t = 0; t < 8; t++)
    for (int m = 0; m < 2; m++) trials.push_back({t % 4, (t % 4 < 2 ? 0 : 2) + m, t, (t + m) % 3 == 0});
  Cells cells = cells_of(count_trials(trials));
  EXPECT_EQ(fit_cells(cells, Model::both).parameters, 4 + 4 - 2);
  EXPECT_EQ(fit_binomial(design_of(cells, Model::both)).parameters, 6);
}

TEST(AnalyseDeviance, says_nothing_where_there_is_nothing_to_explain) {
  EXPECT_FALSE(analyse_deviance(drawn(3, 2, 4, 3, [](int, int) { return 1.0; })));
  EXPECT_FALSE(analyse_deviance(drawn(3, 2, 4, 3, [](int, int) { return 0.0; })));
  EXPECT_FALSE(analyse_deviance(drawn(3, 1, 4, 3, [](int, int) { return 0.5; })));
  EXPECT_FALSE(analyse_deviance(TrialTable{}));
  EXPECT_TRUE(explained_shares(drawn(3, 1, 4, 3, [](int, int) { return 0.5; }), {}).empty());
}

TEST(ExplainedShares, leave_nothing_beyond_chance_to_labels_without_effect) {
  // 15 categories and 5 methods, no effect: the plain share of the category is three times that of the method, what is
  // left of both is near nothing. Fixed seeds: the same numbers everywhere.
  double category = 0, method = 0, plain_category = 0, plain_method = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    auto parts = explained_shares(drawn(15, 5, 4, seed, [](int, int) { return 0.4; }), {.seed = seed, .permutations = 100, .replicates = 20});
    ASSERT_EQ(parts.size(), 4u);
    plain_category += parts[0].share / 20;
    plain_method += parts[1].share / 20;
    category += parts[0].beyond_chance / 20;
    method += parts[1].beyond_chance / 20;
  }
  EXPECT_GT(plain_category, 2 * plain_method);
  EXPECT_GT(plain_category, 0.025);
  EXPECT_LT(std::abs(category), 0.006);
  EXPECT_LT(std::abs(method), 0.006);
}

TEST(ExplainedShares, see_an_effect_and_repeat_themselves) {
  TrialTable table = drawn(4, 3, 20, 5, [](int c, int m) { return 0.1 + 0.2 * c + 0.03 * m; });
  ChancePlan plan{.seed = 9, .permutations = 200, .replicates = 300};
  auto once = explained_shares(table, plan), again = explained_shares(table, plan);
  ASSERT_EQ(once.size(), 4u);
  EXPECT_NEAR(once[0].p, 1.0 / 201, 1e-12);
  EXPECT_GT(once[0].interval.low, 0.03);
  EXPECT_TRUE(once[0].interval.holds(once[0].beyond_chance));
  EXPECT_LT(once[0].by_chance, once[0].share);
  for (size_t k = 0; k < 4; k++) {
    EXPECT_EQ(once[k].by_chance, again[k].by_chance);
    EXPECT_EQ(once[k].interval.low, again[k].interval.low);
  }
  plan.seed = 10;
  EXPECT_NE(explained_shares(table, plan)[0].by_chance, once[0].by_chance);
}

}  // namespace
}  // namespace kbx::stats
