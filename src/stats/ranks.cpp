#include "stats/ranks.h"

#include <algorithm>
#include <numeric>

namespace kbx::stats {

Ranks ranks_of(std::span<const double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  Ranks out{std::vector<double>(values.size()), {}};
  for (size_t from = 0; from < order.size();) {
    size_t to = from;
    while (to < order.size() && values[order[to]] == values[order[from]]) to++;
    for (size_t k = from; k < to; k++) out.rank[order[k]] = double(from + to + 1) / 2;  // the mean of from+1 .. to
    out.tie_sizes.push_back(to - from);
    from = to;
  }
  return out;
}

}  // namespace kbx::stats
