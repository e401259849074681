// What compute-sanitizer's text log says, as data. The log holds names that a candidate chose: everything is bounded and
// nothing of it is believed beyond being shown.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kbx::gpu {

// A place in device code. Both forms are read: "NAME+0xd0 in FILE:LINE" and the older "0xd0 in FILE:LINE:NAME"; each part
// may be absent. `kernel` without its argument list, `file` without its folder.
struct CodePlace {
  std::string kernel, file;
  int line = 0;
};
CodePlace parse_code_place(std::string_view text);

struct SanitizerIssue {
  enum class Kind : unsigned char { access, uninitialised, hazard };
  Kind kind = Kind::access;
  bool certain = true;             // false: the tool itself calls it a warning
  std::string what;                // "Invalid __global__ write of size 4 bytes"
  CodePlace at, other;             // `other`: a hazard's second access
  std::string detail;              // "Access to 0x7f.. is out of bounds and is ..."
  std::vector<int64_t> thread, block;  // x, y, z of the first occurrence; empty = not said
  int64_t count = 1;               // reports, or hazards
};

struct SanitizerLog {
  std::vector<SanitizerIssue> issues;  // one a place; the first kMostIssues
  bool complete = false;               // the summary was reached
  std::string trouble;                 // what kept the tool from its work, in its own words; "" = nothing
};
inline constexpr size_t kMostIssues = 100, kMostLogBytes = size_t(8) << 20;

// Never fails: what is not understood is passed over. Reads at most kMostLogBytes.
SanitizerLog parse_sanitizer_log(std::string_view text);

}  // namespace kbx::gpu
