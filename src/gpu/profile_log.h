// What ncu's CSV says, as data: `--csv --page raw`, a line a launch.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "model/kernel_profile.h"

namespace kbx::gpu {

// The metrics that KernelProfile is made of. `certain`: only those that every card and every ncu has.
std::vector<std::string> profile_metrics(bool certain);

struct ProfileLog {
  std::vector<KernelProfile> kernels;  // at most kMostProfiled
  std::string trouble;                 // why there are none, or not all numbers: a sentence; "" = nothing
  bool unknown_metric = false;         // ncu refused a metric by its name
};
inline constexpr size_t kMostProfiled = 2000;

// Never fails. Lines of ncu's own words are looked at for what went wrong.
ProfileLog parse_profile_log(std::string_view text);

}  // namespace kbx::gpu
