// Board: the counts of a leaderboard: by method, by method and category, by method and task. Made from records one at a
// time; nothing but counts is kept.
#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "model/record.h"
#include "report/timing_summary.h"

namespace kbx::report {

struct Share {
  double value = 0, low = 0, high = 1;  // 95 %
};

struct Tally {
  int64_t judged = 0, call = 0, right = 0, paper = 0;
  int64_t caught = 0;     // broke the rules: constraint_violation, sandbox_violation, delegated
  int64_t undecided = 0;  // harness_error, not_judged: in no other count
  std::map<std::string, std::pair<int64_t, int64_t>> tasks;  // judged, right

  void add(const Record& record);
  int64_t solved() const;  // tasks with a right answer
  // Mean over tasks of the share of right answers, with Wilson's interval (JASA 22, 1927) at the effective number of
  // answers: the number of tasks where each has one; else p (1 - p) over the variance of the mean, so that answers to
  // one task do not count as independent, less as t's quantile for so few tasks exceeds the normal's (Korn and Graubard,
  // Survey Methodology 24, 1998); the number of tasks where that variance is 0 or unknown. nullopt: none judged.
  std::optional<Share> share() const;
};

struct MethodBoard {
  Tally all;
  std::map<std::string, Tally> by_category, by_task;
  std::array<int64_t, kVerdictCount> verdicts{};
  TimingSummary timing;
};

struct Board {
  std::map<std::string, MethodBoard> methods;
  std::map<std::string, std::string> category_of;  // task -> category
  int64_t candidates = 0, steps = 0, not_in_suite = 0;  // steps: of a method on its way, in candidates but in no tally

  // `counts`: an answer or a sample of its method, not a step.
  void add(const Record& record, const std::string& method, bool counts);
};

Share wilson(double p, double n);

// [judged, tasks, call, right, paper, caught, undecided, share, low, high, solved]; null without a candidate.
Json tally_json(const Tally& tally);
Json board_json(const Board& board, const std::map<std::string, std::string>& pages);

}  // namespace kbx::report
