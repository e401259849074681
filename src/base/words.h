// Pieces of sentences for messages.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kbx {

// "1 task", "2 tasks": of nouns whose plural is an s.
std::string counted(int64_t n, std::string_view noun);
// "; did you mean a, b?", up to three of `known` that are nearest to `name`; "" when none is.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace kbx
