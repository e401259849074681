// Partial: the sums and maxima of one chunk of a comparison, and how chunks join.
#pragma once
#include <cstdint>

#include "model/judgement.h"

namespace kbx::judge {

struct Partial {
  int64_t count = 0, mismatches = 0, first = -1, worst = -1;
  double worst_excess = 0;
  double max_abs = 0, max_rel = 0, max_ulp = 0, max_allowed = 0;
  double sum_abs = 0, sum_square = 0;  // of got - want
  double sum_want = 0, got_got = 0, want_want = 0, got_want = 0;
  int64_t finite = 0;
  int64_t nan_got = 0, nan_want = 0, inf_got = 0, inf_want = 0, nan_places = 0, inf_places = 0;

  void add_mismatch(int64_t flat, double excess) {
    mismatches++;
    if (first < 0) first = flat;
    if (worst < 0 || excess > worst_excess) worst = flat, worst_excess = excess;
  }
  void join(const Partial& next);  // next: the chunk that follows
  Metrics metrics() const;
};

}  // namespace kbx::judge
