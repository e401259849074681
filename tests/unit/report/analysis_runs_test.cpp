// report: generation runs, joined runs and differences between runs, made up.
#include "made_runs.h"
#include "report/analysis/run_diff.h"
#include "store/generation.h"
#include "store/merge.h"

namespace kbx::report {

TEST(GenerationRuns, AnswersCountAndTheirCostIsPaid) {
  Folder f;
  std::vector<Record> records = {record(0, "math_a/0/0/0", "math_a", Verdict::wrong_value), record(1, "math_a/1/0/0", "math_a", Verdict::correct), record(2, "math_b/0/0/0", "math_b", Verdict::wrong_value)};
  write_run(f.path, records, {{"method", "kernelagent"}});
  {
    auto store = store::Store::open(f.path);
    auto generation = store::Generation::open(*store);
    ASSERT_TRUE(generation);
    auto call = [&](const std::string& task, int round) {
      store::CallRow row;
      row.key = fmt::format("{} {}", task, round);
      row.id = {task, "generator", round, 0, 0};
      row.result = {{"reply", Json::object()}};
      row.replied = true;
      row.usage.in = 100;
      row.usage.out = 900;
      row.usd = 0.5;
      ASSERT_TRUE(generation->append(row));
    };
    auto evaluation = [&](const std::string& task, int round) {
      store::EvaluationRow row;
      row.task = task;
      row.round = round;
      row.candidate = fmt::format("{}/{}/0/0", task, round);
      ASSERT_TRUE(generation->append(row));
    };
    call("math_a", 0);
    evaluation("math_a", 0);
    call("math_a", 1);
    evaluation("math_a", 1);
    call("math_b", 0);
    evaluation("math_b", 0);
    call("math_c", 0);
    ASSERT_TRUE(generation->append(store::AnswerRow{"math_a", "math_a/1/0/0", "", "executes", {"math_a/1/0/0"}}));
    ASSERT_TRUE(generation->append(store::AnswerRow{"math_b", "math_b/0/0/0", "", "called", {"math_b/0/0/0"}}));
    ASSERT_TRUE(generation->append(store::AnswerRow{"math_c", "", "", "none", {}}));
  }
  Study s = study({f.path});
  Section stages = stages_by_method(s);
  EXPECT_EQ(cell(stages, {{"method", "kernelagent"}}, "judged"), "3") << "the steps before an answer do not count, a task without one does";
  EXPECT_EQ(cell(stages, {{"method", "kernelagent"}}, "correct").substr(0, 6), "33.3 %");
  Section cost = cost_table(s);
  EXPECT_EQ(cell(cost, {{"method", "kernelagent"}}, "calls"), "4");
  EXPECT_EQ(cell(cost, {{"method", "kernelagent"}}, "tokens"), "4000");
  EXPECT_EQ(cell(cost, {{"method", "kernelagent"}}, "usd"), "2");
  EXPECT_EQ(cell(cost, {{"method", "kernelagent"}}, "calls_per_solved"), "too few solved");
  Section budget = equal_budget_table(s);
  EXPECT_EQ(cell(budget, {{"method", "kernelagent"}}, "tokens_1000").substr(0, 5), "0.0 %");
  EXPECT_EQ(cell(budget, {{"method", "kernelagent"}}, "tokens_2000").substr(0, 6), "33.3 %");
  auto merged = store::merge_runs({{"a", f.path}, {"b", f.path}}, f.path / "out", {});
  ASSERT_FALSE(merged);
  EXPECT_NE(merged.error().message.find("kbx run"), std::string::npos);
}

TEST(Merging, RefusesWhatDoesNotCompareAndKeepsWhoseIsWhose) {
  Folder f;
  std::vector<Record> a, b;
  for (int n = 0; n < 6; n++) {
    a.push_back(record(n, fmt::format("m.jsonl:{}", n), fmt::format("math_{}", n), Verdict::correct));
    b.push_back(a.back());
    time_it(a.back(), "GPU A", 1 + n);
    time_it(b.back(), "GPU B", 2 + 2 * n);
  }
  write_run(f.path / "a", a);
  write_run(f.path / "b", b);
  auto merged = store::merge_runs({{"a", f.path / "a"}, {"b", f.path / "b"}}, f.path / "out", {});
  ASSERT_TRUE(merged) << merged.error().text();
  EXPECT_EQ(merged->results, 12) << "one key, two cards: both stay";
  EXPECT_EQ(merged->doubles, 0);
  Study s = study({f.path / "out"});
  EXPECT_EQ(s.sources.size(), 2);
  Section t = across_gpus_table(s);
  EXPECT_EQ(cell(t, {{"a", "GPU A"}}, "kernels"), "6");
  EXPECT_EQ(cell(t, {{"a", "GPU A"}}, "max_min"), "2.00x [2.00, 2.00]");
  EXPECT_EQ(cell(t, {{"a", "GPU A"}}, "rank").substr(0, 1), "1");
  auto same = store::merge_runs({{"a", f.path / "a"}, {"a2", f.path / "a"}}, f.path / "twice", {});
  ASSERT_TRUE(same);
  EXPECT_EQ(same->results, 6);
  EXPECT_EQ(same->doubles, 6);

  for (Record& r : b) {
    r.seed = 7;
    r.engine_version = "2";
  }
  b[2].task_version = "another";
  write_run(f.path / "c", b);
  auto refused = store::merge_runs({{"a", f.path / "a"}, {"c", f.path / "c"}}, f.path / "out2", {"tasks"});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("seeds: 0 (a), 7 (c)"), std::string::npos) << refused.error().message;
  EXPECT_NE(refused.error().message.find("engine versions: 1 (a), 2 (c)"), std::string::npos);
  EXPECT_EQ(refused.error().message.find("math_2"), std::string::npos) << "this was allowed";
  EXPECT_FALSE(fs::exists(f.path / "out2" / "run.db"));
  auto allowed = store::merge_runs({{"a", f.path / "a"}, {"c", f.path / "c"}}, f.path / "out2", {"tasks", "seed", "engine"});
  ASSERT_TRUE(allowed);
  ASSERT_EQ(allowed->notes.size(), 5u);
  EXPECT_EQ(allowed->notes[2], "mixed on purpose: versions of 1 tasks: math_2 another (c), version of math_ (a)");
  EXPECT_EQ(allowed->notes[3], "a: 6 sources or replies are missing among its blobs") << "this made-up run has none";
}

TEST(Differences, WhatChangedAndWhatCouldHaveChangedIt) {
  Folder f;
  std::vector<Record> a, b;
  for (int n = 0; n < 5; n++) a.push_back(record(n, fmt::format("m.jsonl:{}", n), fmt::format("math_{}", n), n == 3 ? Verdict::wrong_value : Verdict::correct));
  time_it(a[1], "GPU A", 2);
  time_it(a[2], "GPU A", 2);
  b = a;
  b[0].verdict = Verdict::wrong_value;
  b[0].source_hash = std::string(64, 'f');
  b[1].timing->speedup = 1;
  b[1].timing->low = 0.99;
  b[1].timing->high = 1.01;
  b[2].timing->speedup = 2.01;  // within the intervals
  b[3].verdict = Verdict::correct;
  b[4].verdict = Verdict::not_judged;
  b[4].engine_version = "2";
  write_run(f.path / "a", a, {{"versions", {{"triton", "3.5.0"}}}});
  write_run(f.path / "b", b, {{"versions", {{"triton", "3.6.0"}}}});
  auto runs = Runs::open({(f.path / "a").string(), (f.path / "b").string()});
  auto d = diff_runs(*runs);
  ASSERT_TRUE(d);
  EXPECT_EQ(d->both, 5);
  EXPECT_EQ(d->same, 2);
  ASSERT_EQ(d->verdicts.size(), 3u);
  EXPECT_EQ(d->verdicts[0].reasons, "source; triton 3.5.0 -> 3.6.0");
  EXPECT_TRUE(d->verdicts[0].regression());
  EXPECT_FALSE(d->verdicts[1].regression());
  EXPECT_EQ(d->verdicts[2].reasons, "engine version 1 -> 2; triton 3.5.0 -> 3.6.0");
  EXPECT_FALSE(d->verdicts[2].regression()) << "undecided is not failing";
  ASSERT_EQ(d->speeds.size(), 1u);
  EXPECT_TRUE(d->speeds[0].slower());
  EXPECT_EQ(d->regressions(), 2);
}

}  // namespace kbx::report
