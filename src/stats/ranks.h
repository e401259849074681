// Ranks from 1 in rising order; equal values share the mean of their ranks.
#pragma once
#include <span>
#include <vector>

namespace kbx::stats {

struct Ranks {
  std::vector<double> rank;       // per value
  std::vector<size_t> tie_sizes;  // of every group of equal values, single ones included
};
Ranks ranks_of(std::span<const double> values);

}  // namespace kbx::stats
