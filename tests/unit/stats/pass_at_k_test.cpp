// stats: pass@k against values worked out by hand.
#include "stats/pass_at_k.h"

#include <gtest/gtest.h>

namespace kbx::stats {

TEST(PassAtK, ByHand) {
  EXPECT_NEAR(*pass_at_k(10, 3, 1), 0.3, 1e-12);
  EXPECT_NEAR(*pass_at_k(5, 2, 2), 1 - 3.0 / 10, 1e-12);     // C(3,2) / C(5,2)
  EXPECT_NEAR(*pass_at_k(10, 1, 10), 1, 1e-12);
  EXPECT_NEAR(*pass_at_k(200, 1, 100), 0.5, 1e-12);
}

TEST(PassAtK, EdgesAndTooFewSamples) {
  EXPECT_EQ(*pass_at_k(5, 0, 3), 0);
  EXPECT_EQ(*pass_at_k(5, 5, 1), 1);
  EXPECT_EQ(*pass_at_k(5, 3, 3), 1);  // any three of five hold a correct one
  EXPECT_FALSE(pass_at_k(5, 2, 6));
  EXPECT_FALSE(pass_at_k(5, 2, 0));
}

}  // namespace kbx::stats
