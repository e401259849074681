// AaResult: what `kbx calibrate --aa` found for one kernel that was held against itself again and again, loaded anew for
// every experiment: does the clock's interval hold the truth, which is 1?
#pragma once
#include <string>
#include <vector>

namespace kbx {

struct AaResult {
  std::string kernel;
  double size_us = 0;         // its mean device time
  int experiments = 0;
  int covered = 0;            // of them: 1.0 lies inside the 95 % interval
  double ratio_sd = 0;        // standard deviation of the ratios, 0.01 = 1 %
  double half_width = 0;      // mean half width of the intervals, 0.01 = 1 %
};
using AaResults = std::vector<AaResult>;

}  // namespace kbx
