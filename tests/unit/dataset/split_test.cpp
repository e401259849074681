// A task is in one part, whatever else is there.
#include "dataset/split.h"

#include <gtest/gtest.h>

namespace kbx::dataset {
namespace {

std::vector<TaskName> tasks_of(int categories, int each) {
  std::vector<TaskName> out;
  for (int c = 0; c < categories; c++)
    for (int k = 0; k < each; k++) out.push_back({"task_" + std::to_string(c) + "_" + std::to_string(k) + "x", "category_" + std::to_string(c)});
  return out;
}

TEST(Splits, shares_are_kept_in_every_category) {
  auto tasks = tasks_of(12, 30);
  Splits splits(tasks, {0.8, 0.1, 0.1});
  for (int c = 0; c < 12; c++) {
    std::array<int, kPartCount> n{};
    for (const TaskName& t : tasks)
      if (t.category == "category_" + std::to_string(c)) n[size_t(splits.part_of(t.name))]++;
    EXPECT_NEAR(n[0], 24, 1);
    EXPECT_NEAR(n[1], 3, 1);
    EXPECT_NEAR(n[2], 3, 1);
  }
}

TEST(Splits, precision_variants_stay_together) {
  EXPECT_EQ(family("gelu_fp16"), "gelu");
  EXPECT_EQ(family("matmul_bf16"), "matmul");
  EXPECT_EQ(family("linear_w4a16"), "linear");
  EXPECT_EQ(family("gelu_w8a8_int8"), "gelu");
  EXPECT_EQ(family("fused_add_gelu"), "fused_add_gelu");
  EXPECT_EQ(family("conv2d"), "conv2d");
  EXPECT_EQ(family("fp16"), "fp16");
  auto tasks = tasks_of(3, 20);
  for (const TaskName& t : tasks_of(3, 20)) tasks.push_back({t.name + "_fp16", "other"});
  Splits splits(tasks, {0.4, 0.3, 0.3});
  for (const TaskName& t : tasks_of(3, 20)) EXPECT_EQ(splits.part_of(t.name), splits.part_of(t.name + "_fp16"));
}

TEST(Splits, a_task_of_no_suite_has_a_part_of_its_own_hash) {
  Splits one(tasks_of(2, 3), {0.5, 0.25, 0.25}), other(tasks_of(5, 9), {0.5, 0.25, 0.25});
  std::array<int, kPartCount> n{};
  for (int k = 0; k < 400; k++) {
    std::string name = "stranger_" + std::to_string(k);
    EXPECT_EQ(one.part_of(name), other.part_of(name));
    n[size_t(one.part_of(name))]++;
  }
  EXPECT_NEAR(n[0], 200, 40);
  EXPECT_NEAR(n[2], 100, 35);
}

TEST(Splits, shares_are_read_and_strange_ones_refused) {
  EXPECT_EQ(*parse_shares("none"), (Shares{1, 0, 0}));
  EXPECT_EQ(*parse_shares("8,1,1"), (Shares{0.8, 0.1, 0.1}));
  for (const char* bad : {"", "80", "80,20", "80,10,10,0", "-1,1,1", "0,1,1", "a,b,c", "nan,1,1", "80,10,10x", "80,,10"}) EXPECT_FALSE(parse_shares(bad)) << bad;
}

}  // namespace
}  // namespace kbx::dataset
