// Joining chunks, and the metrics that follow from the sums.
#include "judge/partial.h"

#include <algorithm>
#include <cmath>

namespace kbx::judge {

void Partial::join(const Partial& n) {
  count += n.count;
  finite += n.finite;
  mismatches += n.mismatches;
  if (first < 0) first = n.first;
  if (n.worst >= 0 && (worst < 0 || n.worst_excess > worst_excess)) worst = n.worst, worst_excess = n.worst_excess;
  max_abs = std::max(max_abs, n.max_abs);
  max_rel = std::max(max_rel, n.max_rel);
  max_ulp = std::max(max_ulp, n.max_ulp);
  max_allowed = std::max(max_allowed, n.max_allowed);
  sum_abs += n.sum_abs;
  sum_square += n.sum_square;
  sum_want += n.sum_want;
  got_got += n.got_got;
  want_want += n.want_want;
  got_want += n.got_want;
  nan_got += n.nan_got;
  nan_want += n.nan_want;
  inf_got += n.inf_got;
  inf_want += n.inf_want;
  nan_places += n.nan_places;
  inf_places += n.inf_places;
}

Metrics Partial::metrics() const {
  Metrics m;
  m.count = count;
  m.mismatches = mismatches;
  m.first_mismatch = first;
  m.worst = worst;
  m.max_abs = max_abs;
  m.max_rel = max_rel;
  m.max_ulp = max_ulp;
  m.max_allowed = max_allowed;
  m.nan_got = nan_got;
  m.nan_want = nan_want;
  m.inf_got = inf_got;
  m.inf_want = inf_want;
  m.nan_position_mismatches = nan_places;
  m.inf_position_mismatches = inf_places;
  if (got_got == 0 || want_want == 0)
    m.cosine = got_got == want_want ? 1 : 0;
  else
    m.cosine = got_want / (std::sqrt(got_got) * std::sqrt(want_want));
  m.l1_rel = sum_want > 0 ? sum_abs / sum_want : sum_abs;
  m.rmse = finite > 0 ? std::sqrt(sum_square / double(finite)) : 0;
  m.rel_rmse = want_want > 0 ? std::sqrt(sum_square / want_want) : m.rmse;
  return m;
}

}  // namespace kbx::judge
