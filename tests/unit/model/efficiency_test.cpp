// efficiency: shares, bounds and means against numbers worked out by hand; what is not known is absent.
#include "model/efficiency.h"

#include <gtest/gtest.h>

#include "model/calibration.h"

namespace kbx {
namespace {

Peaks h200() { return peaks_of(*find_gpu("H200")); }  // 4.8e12 bytes/s, f16 989.4e12

SizeTiming timed(double candidate_us, double reference_us, double half_width) {
  SizeTiming s;
  s.candidate_us = candidate_us;
  s.reference_us = reference_us;
  s.speedup = reference_us / candidate_us;
  s.low = s.speedup / (1 + half_width);
  s.high = s.speedup * (1 + half_width);
  return s;
}

TEST(Efficiency, AMemoryBoundCall) {
  CallCost gelu{"large", 134217728, 0, ""};  // 2^24 floats in, 2^24 out
  Bound b = bound_of(gelu, h200());
  EXPECT_NEAR(b.us, 27.962027, 1e-5);
  EXPECT_EQ(b.limit, "memory");
  EXPECT_NEAR(*iou_of(gelu, 33.5, h200()), 0.834687, 1e-6);
  EXPECT_FALSE(mfu_of(gelu, 33.5, h200()));  // nothing to compute
}

TEST(Efficiency, AComputeBoundCall) {
  CallCost matmul{"large", 402653184, 1099511627776, "f16"};  // 8192^3
  Bound b = bound_of(matmul, h200());
  EXPECT_NEAR(b.us, 1111.291315, 1e-4);
  EXPECT_EQ(b.limit, "f16");
  EXPECT_NEAR(*mfu_of(matmul, 1730, h200()), 0.642365, 1e-6);
  EXPECT_NEAR(*iou_of(matmul, 1730, h200()), 0.048489, 1e-6);
}

TEST(Efficiency, SharesAboveOneAreNotClamped) {
  EXPECT_NEAR(*iou_of({"small", 4.8e6, 0, ""}, 0.5, h200()), 2.0, 1e-12);  // its floor is 1 us
}

TEST(Efficiency, WhatIsNotKnownIsAbsent) {
  CallCost cost{"c", 1e6, 1e6, "f8"};
  Peaks a100 = peaks_of(*find_gpu("A100-80GB"));  // has no f8
  EXPECT_FALSE(mfu_of(cost, 10, a100));
  EXPECT_EQ(bound_of(cost, a100).limit, "memory");
  EXPECT_FALSE(iou_of(cost, 0, a100));
  EXPECT_FALSE(iou_of({"c", 0, 0, "f32"}, 10, a100));
  EXPECT_EQ(bound_of(cost, Peaks()).us, 0);
  EXPECT_EQ(bound_of(cost, Peaks()).limit, "");
  EXPECT_FALSE(Peaks().of("no unit"));
}

TEST(Efficiency, ThePhysicalFloorForgivesTheCacheAndTheClock) {
  CallCost gelu{"large", 134217728, 0, ""};
  EXPECT_NEAR(physical_floor_us(gelu, h200(), 52428800), 13.631488, 1e-5);
  EXPECT_EQ(physical_floor_us(gelu, h200(), 1e9), 0);
}

TEST(GeometricMean, IsTheMeanOfLogsOrNothing) {
  EXPECT_NEAR(*geometric_mean({2, 8}), 4, 1e-12);
  EXPECT_NEAR(*geometric_mean({0.25, 1, 4}), 1, 1e-12);
  EXPECT_FALSE(geometric_mean({}));
  EXPECT_FALSE(geometric_mean({1, 0}));
  EXPECT_FALSE(geometric_mean({1, -1}));
}

TEST(Complete, FillsSharesAndMeans) {
  Timing t;
  t.sizes = {timed(20, 40, 0), timed(40, 20, 0.25)};
  t.sizes[0].low = 1.9;
  t.sizes[0].high = 2.2;
  for (SizeTiming& s : t.sizes) s.bytes = 48e6, s.flops = 1e9, s.unit = "f32";  // 10 us at 4.8e12 bytes/s
  t.sizes[0].candidate_host_us = 30, t.sizes[0].reference_host_us = 60;
  t.sizes[1].candidate_host_us = 50, t.sizes[1].reference_host_us = 25;
  Calibration c;
  c.gpu = "NVIDIA H200";
  c.copy_bandwidth = 4e12;
  c.read_bandwidth = 3.8e12;
  c.matmul[size_t(Unit::f32)] = 50e12;
  Peaks sheet = h200(), reached = peaks_of(c);
  complete(t, &sheet, &reached);
  EXPECT_NEAR(t.sizes[0].bound_us, 14.925373, 1e-5);  // 1e9 flops at 67e12 a second
  EXPECT_EQ(t.sizes[0].limit, "f32");
  EXPECT_NEAR(*t.sizes[0].iou, 0.5, 1e-12);
  EXPECT_NEAR(*t.sizes[1].iou, 0.25, 1e-12);
  EXPECT_NEAR(*t.sizes[0].iou_reached, 0.6, 1e-12);
  EXPECT_NEAR(*t.sizes[0].mfu_reached, 1.0, 1e-12);
  EXPECT_NEAR(*t.iou, 0.353553, 1e-6);  // sqrt(1/8)
  EXPECT_NEAR(*t.speedup, 1, 1e-12);
  EXPECT_NEAR(*t.low, 0.891828, 1e-6);  // exp(-hypot(ln(2/1.9), ln 1.25) / 2)
  EXPECT_NEAR(*t.high, 1.128990, 1e-6);  // exp(hypot(ln 1.1, ln 1.25) / 2)
  EXPECT_NEAR(*t.host_speedup, 1, 1e-12);
  EXPECT_EQ(t.peaks->name, "H200");
  EXPECT_EQ(t.reached->origin, Peaks::Origin::calibrated);
}

TEST(Complete, ASizeWithoutATimeLeavesNoMean) {
  Timing t;
  t.sizes = {timed(20, 40, 0.01), {}};
  t.sizes[1].problem = "the reference has no tape";
  t.sizes[0].bytes = t.sizes[1].bytes = 48e6;
  Peaks sheet = h200();
  complete(t, &sheet, nullptr);
  EXPECT_TRUE(t.sizes[0].iou);
  EXPECT_FALSE(t.sizes[1].iou);
  EXPECT_NEAR(t.sizes[1].bound_us, 10, 1e-9);  // the bound needs no time
  EXPECT_FALSE(t.speedup || t.low || t.high || t.host_speedup || t.iou || t.mfu || t.iou_reached);
}

TEST(Complete, ASizeWithoutAnIntervalLeavesTheMeanWithoutOne) {
  Timing t;
  t.sizes = {timed(20, 40, 0.01), timed(20, 40, 0.01)};
  t.sizes[1].low = t.sizes[1].high = 0;
  complete(t, nullptr, nullptr);
  EXPECT_NEAR(*t.speedup, 2, 1e-12);
  EXPECT_FALSE(t.low || t.high);
  EXPECT_FALSE(t.peaks || t.iou);
}

TEST(Complete, AgainWithOtherPeaksForgetsTheOldOnes) {
  Timing t;
  t.sizes = {timed(20, 40, 0.01)};
  t.sizes[0].bytes = 48e6;
  Peaks sheet = h200();
  complete(t, &sheet, &sheet);
  complete(t, nullptr, nullptr);
  EXPECT_FALSE(t.sizes[0].iou || t.sizes[0].iou_reached || t.peaks || t.reached);
  EXPECT_EQ(t.sizes[0].bound_us, 0);
}

// A size whose values nobody could compare is shown and counts nowhere; one that is the candidate's own word leaves no mean.
TEST(Efficiency, OnlySizesThatWereComparedCountAndNoClaimDoes) {
  Timing t;
  t.sizes = {timed(10, 20, 0.01), timed(1, 1000, 0.01)};
  t.sizes[1].compared = false;
  update_means(t);
  EXPECT_NEAR(t.speedup.value_or(0), 2, 1e-12);
  EXPECT_NEAR(t.high.value_or(0), 2.02, 1e-9);
  t.sizes[0].compared = false;
  update_means(t);
  EXPECT_FALSE(t.speedup);
  t.sizes[0].compared = t.sizes[1].compared = true;
  t.sizes[1].claimed = true;
  update_means(t);
  EXPECT_FALSE(t.speedup || t.low || t.host_speedup);
}

}  // namespace
}  // namespace kbx
