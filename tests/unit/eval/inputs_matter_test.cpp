// Which cases the variants of a parameter are spread over.
#include "eval/inputs_matter.h"

#include <gtest/gtest.h>

namespace kbx::eval {
namespace {

TEST(InputsMatter, VariantsAreSpreadOverAllCases) {
  EXPECT_EQ(spread_order(3, 12), (std::vector<size_t>{0, 1, 2}));
  EXPECT_EQ(spread_order(12, 12).back(), 11u);
  // 7 cases and 3 variants: every third one first.
  EXPECT_EQ(spread_order(7, 3), (std::vector<size_t>{0, 3, 6, 1, 4, 2, 5}));
  EXPECT_TRUE(spread_order(0, 12).empty());
}

}  // namespace
}  // namespace kbx::eval
