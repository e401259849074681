// Summary: the counts of one run, made from its records one at a time (nothing but counts is kept).
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/record.h"
#include "report/timing_summary.h"

namespace kbx::report {

struct Counts {
  int64_t candidates = 0;          // judged ones of the suite
  int64_t call = 0, exe = 0;       // stages 1 and 2
  int64_t paper_call = 0, paper_exe = 0;
  std::array<int64_t, kVerdictCount> verdicts{};
  int64_t of(Verdict v) const { return verdicts[size_t(v)]; }
};

struct Summary {
  Counts all;
  std::map<std::string, Counts> by_category;      // key: category as the suite spells it
  std::map<std::string, Counts> by_task;
  int64_t candidates = 0;                         // everything that came in
  int64_t not_in_suite = 0;
  double candidate_seconds = 0;                   // sum over candidates
  std::vector<double> seconds;                    // per judged candidate, input order
  std::array<int64_t, kVerdictCount> paper{};
  TimingSummary timing;

  void add(const Record& record);
  // Mean over tasks of the unbiased pass@k (stats/pass_at_k.h); nothing when a task has fewer than k samples.
  std::optional<double> pass_at(int64_t k) const;
  // q in [0, 1]; 0 when there is none.
  double seconds_quantile(double q) const;
};

}  // namespace kbx::report
