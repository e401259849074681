// Tool: NVIDIA's programs that look at a process from outside, as they stand in front of the trusted replay: compute-sanitizer
// and ncu. Both come with the CUDA toolkit; kbx needs neither to build nor to judge.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace kbx::gpu {

struct Tool {
  std::string name, path;   // "ncu", absolute
  std::string version;      // "2025.3.1"; "" = it did not say
};

// `folder` "": PATH, $CUDA_HOME/bin, $CUDA_PATH/bin, /usr/local/cuda/bin; else there and nowhere else. The Error (usage) says where it looked and
// what brings it.
Result<Tool> find_tool(const std::string& name, const std::string& folder);

// One of compute-sanitizer's tools.
enum class SanitizerCheck : unsigned char { memcheck, racecheck, initcheck };
std::string_view to_text(SanitizerCheck check);
std::vector<std::string> sanitizer_words(const Tool& tool, SanitizerCheck check, const std::string& log);

// ncu on the kernels of these mangled names, CSV to `log`. Names that are no identifiers are left out; none = every kernel.
std::vector<std::string> profiler_words(const Tool& tool, const std::vector<std::string>& metrics, const std::vector<std::string>& kernels, const std::string& log);

}  // namespace kbx::gpu
