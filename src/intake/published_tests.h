// The published suite keeps a solution and its tests in one file, parted by a line of 146 '#'. Whatever stands behind
// that line is tests, never the candidate's code.
#pragma once
#include <string_view>

namespace kbx::intake {

inline constexpr size_t kRulerLength = 146;
// The text in front of the first run of 146 '#'; the whole text when there is none.
std::string_view before_published_tests(std::string_view text);

}  // namespace kbx::intake
