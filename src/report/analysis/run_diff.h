// RunDiff: what changed between two runs of the same candidates, and what could have changed it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "model/verdict.h"
#include "report/analysis/write.h"
#include "report/runs.h"

namespace kbx::report {

struct VerdictChange {
  std::string candidate, task;
  Verdict before = Verdict::correct, after = Verdict::correct;
  std::string reasons;  // "source; engine version 0.3.0 -> 0.4.0"; "nothing that is stored" = the same job gave two verdicts
  // A correct candidate that fails now. What became harness_error or not_judged is none.
  bool regression() const { return before == Verdict::correct && is_failure(after); }
};

// A candidate that is correct in both, whose intervals do not touch.
struct SpeedChange {
  std::string candidate, task, gpu, gpu_after;
  double before = 0, low_before = 0, high_before = 0, after = 0, low_after = 0, high_after = 0;
  bool slower() const { return after < before; }
};

struct RunDiff {
  std::string before, after;                // labels
  int64_t both = 0, same = 0;               // candidates of the suite in both; of them with the same verdict
  int64_t paper_changes = 0;                // of them whose verdict by the published rules changed
  int64_t timed_both = 0;                   // correct with an interval in both
  std::vector<std::string> only_before, only_after;  // candidates
  std::vector<VerdictChange> verdicts;
  std::vector<SpeedChange> speeds;
  std::vector<std::string> circumstances;   // what differs between the runs as wholes: "triton 3.5.0 -> 3.6.0"

  int64_t regressions() const;              // verdicts and speeds
};

// Candidates are matched by id and task; the n-th of an id with the n-th. `runs`: two.
Result<RunDiff> diff_runs(const Runs& runs);
Sections diff_sections(const RunDiff& diff);

}  // namespace kbx::report
