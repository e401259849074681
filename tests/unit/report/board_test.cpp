// A leaderboard's counts and intervals.
#include "report/board.h"

#include <gtest/gtest.h>

#include <cmath>

#include "report/page_form.h"
#include "report/site_task.h"

namespace kbx::report {
namespace {

Record record(const std::string& task, Verdict verdict) {
  Record r;
  r.task = task;
  r.category = "math";
  r.verdict = r.paper = verdict;
  r.exe_ok = r.paper_exe_ok = verdict == Verdict::correct;
  r.call_ok = implies_call(verdict);
  return r;
}

TEST(Board, wilson_as_published) {
  // Newcombe, Statistics in Medicine 17 (1998), table I, method 3: 81/263, 15/148, 0/20, 1/29.
  for (auto [s, n, low, high] : {std::tuple{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0.0, 0.1611}, {1, 29, 0.0061, 0.1718}}) {
    Share w = wilson(double(s) / n, n);
    EXPECT_NEAR(w.low, low, 5e-5);
    EXPECT_NEAR(w.high, high, 5e-5);
  }
}

TEST(Board, one_answer_a_task_counts_tasks) {
  Tally t;
  for (int k = 0; k < 20; k++) t.add(record("task" + std::to_string(k), k < 5 ? Verdict::correct : Verdict::wrong_value));
  EXPECT_DOUBLE_EQ(t.share()->value, 0.25);
  EXPECT_DOUBLE_EQ(t.share()->low, wilson(0.25, 20).low);
  EXPECT_EQ(t.solved(), 5);
}

TEST(Board, answers_to_one_task_are_not_independent) {
  Tally t;  // each task solved by all of its ten answers or by none
  for (int k = 0; k < 10; k++)
    for (int n = 0; n < 10; n++) t.add(record("task" + std::to_string(k), k < 5 ? Verdict::correct : Verdict::crashed));
  Share all = *t.share();
  double effective = 9 * std::pow(1.959963984540054 / 2.262157162740992, 2);  // p (1 - p) / (1/36) = 9; t of 9 degrees
  EXPECT_NEAR(all.high - all.low, wilson(0.5, effective).high - wilson(0.5, effective).low, 1e-9);
  EXPECT_GT(all.high - all.low, 2.5 * (wilson(0.5, 100).high - wilson(0.5, 100).low));
}

TEST(Board, undecided_answers_and_steps_are_in_no_share) {
  Board board;
  board.add(record("a", Verdict::correct), "m", true);
  board.add(record("a", Verdict::not_judged), "m", true);
  board.add(record("a", Verdict::harness_error), "m", true);
  board.add(record("a", Verdict::wrong_value), "m", false);
  board.add(record("b", Verdict::delegated), "m", true);
  const Tally& t = board.methods["m"].all;
  EXPECT_EQ(t.judged, 2);
  EXPECT_EQ(t.undecided, 2);
  EXPECT_EQ(t.caught, 1);
  EXPECT_EQ(board.steps, 1);
  EXPECT_DOUBLE_EQ(t.share()->value, 0.5);
  EXPECT_FALSE(Tally().share());
}

TEST(Site, names_of_files_cannot_leave_the_folder) {
  EXPECT_EQ(task_file("softmax"), "softmax.html");
  for (const char* bad : {"../x", "a/b", ".x", "", "a b", "<script>"}) {
    std::string name = task_file(bad);
    EXPECT_EQ(name.find_first_of("/<> "), name.npos) << name;
    EXPECT_EQ(name.rfind("task-", 0), 0u) << name;
  }
  EXPECT_NE(task_file("../x"), task_file("../y"));
}

TEST(Site, text_is_escaped) {
  EXPECT_EQ(html_text("<a href=\"x\">'&\x01"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;?");
  EXPECT_EQ(uri_component("a/b c~2:ä"), "a%2Fb%20c~2%3A%C3%A4");
}

}  // namespace
}  // namespace kbx::report
