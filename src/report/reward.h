// The reward of a stored record (stats/reward.h, docs/reward.md): what the record says, put into the formula; with the
// JSON of `kbx eval --reward`.
#pragma once
#include <optional>
#include <string>

#include "base/json.h"
#include "model/record.h"
#include "stats/reward.h"

namespace kbx::report {

struct RecordReward {
  std::optional<stats::Reward> reward;  // none: harness_error, not_judged, no task of the suite: nobody knows
  std::optional<double> error_share;    // the worst over all judged outputs of all cases, profile kbx
  // Compulsory bytes of the recorded call over the distinct bytes that its launches moved, 1 = nothing was moved twice.
  // As the worker counted it, in the candidate's process: told, never paid for.
  std::optional<double> traffic;
  std::string why;                      // one line: what was not paid, and why
};
RecordReward reward_of(const Record& record, const stats::RewardSpec& spec);

// {"score", "most", "fidelity", "efficiency", "error_share", "traffic", "why"}; numbers or null.
Json reward_json(const RecordReward& reward);

// Over the candidates that have one.
struct RewardSummary {
  int64_t candidates = 0, paid = 0;  // paid: with a score above 0
  double sum = 0, most = 0;          // most: the largest

  void add(const RecordReward& reward);
};
Json reward_summary_json(const RewardSummary& summary, const stats::RewardSpec& spec);

// Parts of json_lines_schema().
Json reward_schema();
Json reward_summary_schema();

}  // namespace kbx::report
