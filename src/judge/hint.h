// Hints: what the places and values of wrong elements have in common, as a phrase for a human.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "judge/view.h"

namespace kbx::judge {

// Where the wrong elements lie: "every element", "all in the last column", "all in the last 3 rows", "all in the first
// row", "all in the second half", "all in the tile [0:16, 32:64]", "all from flat index 4096 on", "the last one"; "" if
// nothing is striking. wrong: one byte an element. Rows and columns are the last two dimensions.
std::string place_hint(const std::vector<int64_t>& shape, const std::vector<uint8_t>& wrong);

// What the wrong values are: "got is zero there", "the sign is flipped", "got is 2 x expected", "got - expected is
// 0.5", "got is the transpose"; "" if nothing is striking. Real dtypes; at least two wrong elements.
std::string value_hint(const View& got, const View& want, const std::vector<uint8_t>& wrong);

}  // namespace kbx::judge
