// Line diffs: the shortest edit script (Myers, "An O(ND) difference algorithm and its variations", 1986), as a unified
// diff that `patch` applies.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kbx::dataset {

struct Edit {
  size_t a = 0, a_size = 0, b = 0, b_size = 0;  // lines a..a+a_size are replaced by lines b..b+b_size
};

struct DiffStats {
  int64_t lines_before = 0, lines_after = 0, added = 0, removed = 0, edits = 0, opcodes = 0;  // opcodes: edits and the runs of common lines between them
  double similarity = 1;  // 2 * common lines / all lines; 1 for two empty texts
};

// In order, not touching one another. Texts that differ in more than 2000 lines are one edit from the first to the last
// difference: time and memory stay bounded.
std::vector<Edit> edits(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b);

struct Diff {
  std::string text;  // "" for equal texts
  DiffStats stats;
};
// "--- NAME_A", "+++ NAME_B", hunks with three lines of context, "\ No newline at end of file" where it is so.
Diff unified_diff(std::string_view a, std::string_view b, std::string_view name_a, std::string_view name_b);

}  // namespace kbx::dataset
