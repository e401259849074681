// AaResult: what `kbx calibrate --aa` found for one kernel that was held against itself again and again, loaded anew for
// every experiment: does the clock's interval hold the truth, which is 1? And for a kernel held against itself with more
// work: is the difference seen?
#pragma once
#include <string>
#include <vector>

namespace kbx {

struct AaResult {
  std::string kernel;
  double size_us = 0;         // its mean device time
  int experiments = 0;        // that gave an interval
  int covered = 0;            // of them: 1.0 lies inside the 95 % interval
  double ratio_sd = 0;        // standard deviation of the ratios, 0.01 = 1 %
  double half_width = 0;      // mean half width of the intervals, 0.01 = 1 %
  double groups = 0;          // mean number of groups
  double mean_ratio = 0;      // geometric
  double more_work = 0;       // known difference: the first side has so much more to do, 0.02 = 2 %; 0 = none
  int found = 0;              // known difference: 1.0 is excluded, on the right side
  int failed = 0;             // experiments without an interval
  std::string problem;        // the last reason for one that failed, or why there was none; "" = all went well
};
using AaResults = std::vector<AaResult>;

}  // namespace kbx
