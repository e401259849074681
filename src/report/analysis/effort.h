// TaskEffort: what one generation run spent on one task, and how far it came for it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "report/runs.h"

namespace kbx::report {

struct Study;

struct TaskEffort {
  int run = 0, method = 0, task = 0;
  int64_t calls = 0, tokens = 0, evaluations = 0;   // tokens: in and out
  bool estimated = false;                           // some tokens were
  double usd = 0, call_seconds = 0, eval_seconds = 0, gpu_seconds = 0;
  bool priced = true;                               // every call has a price
  bool solved = false;                              // one of its answers is correct
  std::optional<int64_t> calls_to_solve, tokens_to_solve;  // when the first correct candidate had been judged, whether it became the answer or not
};

// Adds a run's efforts and answers to the study: of a generation run only answers and samples count (Trial::counts), and a
// task without any gets a trial that ended as no_code. `by_candidate`: the run's trials. A run of `kbx eval` adds nothing.
Result<void> add_generation(const Runs::Run& run, int run_id, const std::unordered_map<std::string, int>& by_candidate, Study& study);

}  // namespace kbx::report
