// What each task had in each round of a method that works in rounds.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "report/analysis/study.h"

namespace kbx::report {

// The best of a task's candidates in one round.
struct RoundState {
  int64_t candidates = 0, called = 0, correct = 0, judged = 0;
  std::optional<double> speedup;  // the largest of its correct and timed candidates
};
using TaskRounds = std::map<int, std::vector<std::optional<RoundState>>>;  // task -> round -> state; nullopt: no candidate in that round
// By method; methods without rounds, or with one alone, are absent.
std::map<int, TaskRounds> rounds_of(const Study& study);

}  // namespace kbx::report
