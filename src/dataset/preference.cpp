// find_preferences(): see rows.h.
#include <algorithm>
#include <map>

#include "dataset/rows.h"

namespace kbx::dataset {

std::vector<Preference> find_preferences(const std::vector<Attempt>& attempts, const std::vector<size_t>& distinct, Judge judge) {
  struct Sides {
    std::vector<size_t> right, wrong, timed;
  };
  std::map<std::string, Sides> tasks;
  for (size_t k : distinct) {
    const Attempt& a = attempts[k];
    if (!a.decided(judge)) continue;
    Sides& sides = tasks[a.task];
    (a.exe_ok(judge) ? sides.right : sides.wrong).push_back(k);
    if (a.exe_ok(judge) && a.timed()) sides.timed.push_back(k);
  }
  std::vector<Preference> out;
  for (auto& [task, sides] : tasks) {
    size_t pairs = sides.right.empty() || sides.wrong.empty() ? 0 : std::max(sides.right.size(), sides.wrong.size());
    for (size_t k = 0; k < pairs; k++) out.push_back({sides.right[k % sides.right.size()], sides.wrong[k % sides.wrong.size()], false});
    std::stable_sort(sides.timed.begin(), sides.timed.end(), [&](size_t a, size_t b) { return *attempts[a].out.speedup > *attempts[b].out.speedup; });
    for (size_t k = 0; k < sides.timed.size(); k++)
      for (size_t j = k + 1; j < sides.timed.size(); j++) {
        const Attempt &fast = attempts[sides.timed[k]], &slow = attempts[sides.timed[j]];
        if (fast.out.gpu != slow.out.gpu || !(*fast.out.low > *slow.out.high)) continue;
        out.push_back({sides.timed[k], sides.timed[j], true});
        break;
      }
  }
  return out;
}

}  // namespace kbx::dataset
