// Which pairs are transitions, and of which kind.
#include "dataset/transition.h"

#include <gtest/gtest.h>

#include "dataset/rows.h"
#include "dataset/upstream.h"

namespace kbx::dataset {
namespace {

Attempt attempt(const std::string& code, Verdict verdict, int sample = 0) {
  Attempt a;
  a.task = "softmax";
  a.category = "math";
  a.candidate = code;
  a.code = a.normal = code;
  a.sample = sample;
  a.ordinal = sample;
  a.out.verdict = a.out.paper = verdict;
  a.out.exe_ok = a.out.paper_exe_ok = verdict == Verdict::correct;
  a.out.call_ok = a.out.paper_call_ok = implies_call(verdict);
  return a;
}

Attempt timed(const std::string& code, double speedup, const std::string& gpu = "H") {
  Attempt a = attempt(code, Verdict::correct);
  a.out.speedup = speedup;
  a.out.low = speedup * 0.98;
  a.out.high = speedup * 1.02;
  a.out.time_us = 100 / speedup;
  a.out.reference_us = 100;
  a.out.gpu = gpu;
  return a;
}

Attempt in_round(Attempt a, int round, int slot, int step = 0) {
  a.round = round;
  a.slot = slot;
  a.step = step;
  return a;
}

std::vector<Kind> kinds(const std::vector<Attempt>& attempts) {
  std::vector<Kind> out;
  for (const Transition& t : find_transitions(attempts, Judge::kbx).all) out.push_back(t.kind);
  return out;
}

TEST(Transitions, each_kind) {
  Attempt broken = attempt("a", Verdict::compile_error), wrong = attempt("b", Verdict::wrong_value), right = attempt("c", Verdict::correct);
  EXPECT_EQ(kind_of(wrong, right, Judge::kbx), Kind::error_to_fix);
  EXPECT_EQ(kind_of(broken, wrong, Judge::kbx), Kind::error_to_call);
  EXPECT_EQ(kind_of(right, broken, Judge::kbx), Kind::regression);
  EXPECT_EQ(kind_of(wrong, broken, Judge::kbx), Kind::call_to_error);
  EXPECT_EQ(kind_of(broken, attempt("d", Verdict::syntax_error), Judge::kbx), std::nullopt);
  EXPECT_EQ(kind_of(right, right, Judge::kbx), std::nullopt);
  EXPECT_EQ(kind_of(timed("a", 1), timed("b", 1.5), Judge::kbx), Kind::slow_to_fast);
  EXPECT_EQ(kind_of(timed("a", 1.5), timed("b", 1), Judge::kbx), Kind::fast_to_slow);
  EXPECT_EQ(kind_of(timed("a", 1), timed("b", 1.01), Judge::kbx), std::nullopt);        // intervals touch
  EXPECT_EQ(kind_of(timed("a", 1), timed("b", 2, "other"), Judge::kbx), std::nullopt);  // two cards
}

TEST(Transitions, the_judge_decides) {
  Attempt a = attempt("a", Verdict::wrong_value), b = attempt("b", Verdict::delegated);
  b.out.paper = Verdict::correct;
  b.out.paper_exe_ok = true;
  EXPECT_EQ(kind_of(a, b, Judge::kbx), std::nullopt);
  EXPECT_EQ(kind_of(a, b, Judge::paper), Kind::error_to_fix);
}

TEST(Transitions, undecided_candidates_stand_in_no_pair) {
  EXPECT_EQ(kinds({attempt("a", Verdict::wrong_value), attempt("b", Verdict::harness_error), attempt("c", Verdict::correct)}), std::vector{Kind::error_to_fix});
  EXPECT_EQ(kinds({attempt("a", Verdict::not_judged), attempt("b", Verdict::correct)}), std::vector<Kind>{});
}

TEST(Transitions, one_program_in_two_forms_and_repeats_are_counted_not_kept) {
  Attempt a = attempt("a", Verdict::wrong_value, 0), b = attempt("b", Verdict::correct, 1), c = attempt("a", Verdict::wrong_value, 2), d = attempt("b", Verdict::correct, 3), e = attempt("b", Verdict::wrong_value, 4);
  Transitions t = find_transitions({a, b, c, d, e}, Judge::kbx);
  ASSERT_EQ(t.all.size(), 2u);  // a -> b, b -> a
  EXPECT_EQ(t.repeated, 1);
  EXPECT_EQ(t.same_program, 1);
  EXPECT_EQ(t.looked_at, 4);
}

TEST(Transitions, slots_of_rounds_are_followed_each_for_itself) {
  std::vector<Attempt> all = {in_round(attempt("a0", Verdict::wrong_value), 0, 0), in_round(attempt("b0", Verdict::correct), 0, 1), in_round(attempt("a1", Verdict::correct), 1, 0),
                              in_round(attempt("b1", Verdict::compile_error), 1, 1), in_round(attempt("b2", Verdict::wrong_value), 1, 1, 1)};
  Transitions t = find_transitions(all, Judge::kbx);
  ASSERT_EQ(t.all.size(), 3u);
  for (const Transition& one : t.all) EXPECT_EQ(one.relation, Relation::rounds);
  EXPECT_EQ(all[t.all[0].before].code + all[t.all[0].after].code, "a0a1");
  EXPECT_EQ(all[t.all[1].before].code + all[t.all[1].after].code, "b0b1");
  EXPECT_EQ(all[t.all[2].before].code + all[t.all[2].after].code, "b1b2");
}

TEST(Transitions, slots_that_were_asked_once_are_samples) {
  Transitions t = find_transitions({in_round(attempt("a", Verdict::wrong_value), 0, 0), in_round(attempt("b", Verdict::correct), 0, 1)}, Judge::kbx);
  ASSERT_EQ(t.all.size(), 1u);
  EXPECT_EQ(t.all[0].relation, Relation::samples);
}

TEST(Preferences, every_right_and_every_wrong_program_is_used_and_no_pair_twice) {
  std::vector<Attempt> all = {attempt("r1", Verdict::correct), attempt("w1", Verdict::wrong_value), attempt("w2", Verdict::compile_error), attempt("w3", Verdict::crashed), attempt("r2", Verdict::correct)};
  auto pairs = find_preferences(all, {0, 1, 2, 3, 4}, Judge::kbx);
  ASSERT_EQ(pairs.size(), 3u);
  for (const Preference& p : pairs) {
    EXPECT_TRUE(all[p.chosen].out.exe_ok);
    EXPECT_FALSE(all[p.rejected].out.exe_ok);
  }
}

TEST(Preferences, faster_means_the_whole_interval) {
  std::vector<Attempt> all = {timed("a", 1), timed("b", 1.01), timed("c", 2)};
  auto pairs = find_preferences(all, {0, 1, 2}, Judge::kbx);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_TRUE(pairs[0].faster);
  EXPECT_EQ(all[pairs[0].chosen].code, "c");
  EXPECT_EQ(all[pairs[0].rejected].code, "b");
}

TEST(Upstream, kinds_are_the_published_words) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(upstream_kinds(attempt("a", Verdict::compile_error), timed("b", 1)), (Words{"exe_fail_to_pass", "call_fail_to_pass", "perf_ok_newly"}));
  EXPECT_EQ(upstream_kinds(timed("a", 1), timed("b", 2)), Words{"speedup_increase"});
  EXPECT_EQ(upstream_kinds(timed("a", 1), attempt("b", Verdict::wrong_value)), (Words{"regression_exe", "regression_perf"}));
}

TEST(Rows, have_a_cell_of_the_right_type_for_every_column) {
  Attempt a = in_round(timed("a\n", 1), 0, 1), b = in_round(timed("b\n", 2), 1, 1);
  b.call = Call{"model", "request", "reply", "thought", {}, 0.25, 1.5};
  b.memory = Memory{"strategy", "reflection", 7.5};
  auto fits = [](const std::vector<Column>& columns, const Row& row) {
    ASSERT_EQ(columns.size(), row.size());
    for (size_t k = 0; k < row.size(); k++) EXPECT_TRUE(row[k].index() == 0 || row[k].index() == size_t(columns[k].type) + 1) << columns[k].name;
  };
  Asked asked{"prompt", "call", "reply"};
  fits(columns(TableName::transitions), transition_row(a, b, {0, 1, Kind::slow_to_fast, Relation::rounds}, unified_diff("a\n", "b\n", "a", "b"), asked, "run", Judge::kbx));
  fits(columns(TableName::sft), sft_row(b, asked, "run"));
  fits(columns(TableName::candidates), candidate_row(a, asked, "run", 2));
  fits(columns(TableName::preference), preference_row(b, a, {1, 0, true}, "prompt", Judge::kbx));
}

TEST(Rows, a_fence_is_longer_than_any_in_the_code) { EXPECT_EQ(fenced("x = '```'"), "````python\nx = '```'\n````"); }

}  // namespace
}  // namespace kbx::dataset
