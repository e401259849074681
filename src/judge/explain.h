// Explanations: one or two sentences that tell a human what is wrong with an output.
#pragma once
#include <string>

#include "judge/compare.h"
#include "model/judgement.h"

namespace kbx::judge {

std::string number_text(double value);                     // "0.000973", "nan", "-inf": four significant digits
std::string element_text(const View& view, int64_t flat);  // a number, "1+2i", "true"
// "result[3, 1022]"; the path alone for a scalar.
std::string place_text(const std::string& path, const std::vector<int64_t>& index);

// Completes a judgement whose metrics were made by compare(pair): verdict (correct, unwritten_output or wrong_value),
// metric, index, expected, got, bound and the explanation with the wrong elements' pattern.
void conclude(Judgement& judgement, const Pair& pair);
// The same from a mask made by another rule (exact.cpp): metrics hold mismatches, first_mismatch and worst.
void conclude_with(Judgement& judgement, const Pair& pair, const std::vector<uint8_t>& wrong);

}  // namespace kbx::judge
