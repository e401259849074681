// Feedback for hardware that is not here: ratios against the call's cost, bounds a GPU, silence where nothing counted.
#include "report/hardware.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kbx::report {
namespace {

using testing::HasSubstr;

Record two_launches() {
  Record r;
  Launch a;
  a.kernel = "first";
  a.grid[0] = 4;
  a.load_bytes = 3000;
  a.store_bytes = 1000;
  a.unique_load_bytes = 1000;
  a.unique_store_bytes = 1000;
  a.flops = 500;
  a.flops_by = {{"f32", 500}};
  Launch b = a;
  b.kernel = "second";
  b.flops = 1000000000;
  b.flops_by = {{"dot_tf32", 1000000000}};
  r.launches = {a, b};
  r.cost = CallCost{"rows", 2000, 500, "f32"};
  return r;
}

TEST(Hardware, TrafficIsHeldAgainstTheCostOfTheCall) {
  auto f = hardware_feedback(two_launches());
  ASSERT_TRUE(f);
  EXPECT_DOUBLE_EQ(f->traffic(), 4);   // 8000 of 2000
  EXPECT_DOUBLE_EQ(f->overhead(), 2);  // 4000 of 2000
}

TEST(Hardware, LaunchesComeOneAfterTheOther) {
  Record r = two_launches();
  auto f = hardware_feedback(r);
  for (const GpuBound& g : f->gpus) {
    double first = at_least(*g.gpu, work_of(r.launches[0])).seconds, second = at_least(*g.gpu, work_of(r.launches[1])).seconds;
    EXPECT_DOUBLE_EQ(g.seconds, first + second) << g.gpu->name;
    EXPECT_EQ(g.compute, Unit::tf32) << g.gpu->name;
    EXPECT_DOUBLE_EQ(g.least_seconds, 2000 / g.gpu->bandwidth) << g.gpu->name;
  }
  EXPECT_EQ(f->gpus.size(), gpu_specs().size());
}

TEST(Hardware, WithoutCountsThereIsNoFeedback) {
  Record r = two_launches();
  for (Launch& l : r.launches) l.unique_load_bytes = l.unique_store_bytes = 0;
  EXPECT_FALSE(hardware_feedback(r));
  EXPECT_EQ(hardware_text(r), "");
  EXPECT_TRUE(hardware_json(r).is_null());
  EXPECT_FALSE(hardware_feedback(Record()));
}

TEST(Hardware, WithoutACostThereAreBoundsButNoRatios) {
  Record r = two_launches();
  r.cost = CallCost{"rows", 0, 0, ""};
  Json j = hardware_json(r);
  EXPECT_TRUE(j["traffic"].is_null());
  EXPECT_TRUE(j["bounds"][0]["any_kernel_at_least_seconds"].is_null());
  EXPECT_GT(j["bounds"][0]["at_least_seconds"].get<double>(), 0);
}

TEST(Hardware, TheTextSaysThatItIsABound) {
  std::string text = hardware_text(two_launches());
  EXPECT_THAT(text, HasSubstr("lower bounds from datasheets, not times"));
  EXPECT_THAT(text, HasSubstr("x4.00"));
  for (const GpuSpec& g : gpu_specs()) EXPECT_THAT(text, HasSubstr(std::string(g.name)));
}

TEST(Hardware, QuantitiesReadWell) {
  EXPECT_EQ(bytes_text(12), "12 B");
  EXPECT_EQ(bytes_text(1500), "1.50 kB");
  EXPECT_EQ(bytes_text(999.9e6), "1.00 GB");
  EXPECT_EQ(seconds_text(1.5e-6), "1.50 us");
  EXPECT_EQ(seconds_text(0.0123), "12.3 ms");
  EXPECT_EQ(seconds_text(0), "0");
}

}  // namespace
}  // namespace kbx::report
