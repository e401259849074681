// Reward: one bounded score for a judged candidate, for search and training (docs/reward.md).
//   score = 0                                                        unless it was accepted
//         = correct + fidelity F + efficiency E                      the three weights sum to 1
//   F = 1 - max(0, u - forgiven) / (1 - forgiven), u the largest error in units of what was allowed, 0 <= u <= 1
//   E = geometric mean over the sizes of min(1, least time / time, at the lower end of the time's interval)
// Not accepted is whatever the verdict speaks against: wrong on any case, a broken contract, work that was not done, a
// cheat that was caught. What was not measured pays nothing: without a GPU a score ends at correct + fidelity.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace kbx::stats {

struct RewardSpec {
  double correct = 0.2, fidelity = 0.3, efficiency = 0.5;
  // Share of the allowed error that costs nothing: nobody shall be paid for more exactness than the reference itself has,
  // and the allowed error is four times that (docs/oracles.md).
  double forgiven = 0.25;
  bool in_process = false;  // pay also for times taken in the candidate's own process, which it could have bent

  // "default", or a list such as "correct=0.1,fidelity=0.4,efficiency=0.5,forgiven=0.25,in_process=1" whose absent keys
  // keep their defaults. Error (usage): an unknown key, no number, out of [0, 1], forgiven = 1, weights that do not sum to 1.
  static Result<RewardSpec> parse(std::string_view text);
  std::string text() const;  // what parse() reads
};

// One performance size. All in one unit of time.
struct SizeFact {
  double time = 0, least = 0;   // > 0; least: by the card's peaks, or what an empty kernel takes if that is more
  double low_factor = 1;        // lower end of the interval of 1 / time, as a factor of it: 0..1
};

struct RewardFacts {
  bool accepted = false;
  std::optional<double> error_share;           // u; none: the oracle knows right and wrong only, then F = 1
  std::optional<std::vector<SizeFact>> sizes;  // none: no time, or one that is not paid for
};

struct Reward {
  double score = 0;
  double most = 0;                             // what could have been paid with what was measured
  std::optional<double> fidelity, efficiency;  // F, E; none: not accepted, or not measured
};

// Pure: equal facts, equal score. Falls in error_share and in every time, never rises.
Reward reward_of(const RewardFacts& facts, const RewardSpec& spec);

}  // namespace kbx::stats
