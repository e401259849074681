// gpu_spec: the table is plausible and says where it comes from; bounds are the largest part and never invented.
#include "model/gpu_spec.h"

#include <gtest/gtest.h>

#include <set>

#include "model/measurement.h"

namespace kbx {
namespace {

TEST(GpuSpecs, EveryRowHasItsSourceAndANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const GpuSpec& g : gpu_specs()) {
    EXPECT_TRUE(names.insert(g.name).second) << g.name;
    EXPECT_NE(g.source.find("NVIDIA"), g.source.npos) << g.name;
    EXPECT_EQ(find_gpu(g.name), &g);
    EXPECT_GT(g.bandwidth, 1e11);
    EXPECT_LT(g.bandwidth, 1e13);
    EXPECT_GE(g.shared_per_block, 99 * 1024) << g.name;
    EXPECT_TRUE(g.arch == 80 || g.arch == 86 || g.arch == 89 || g.arch == 90 || g.arch == 100 || g.arch == 120) << g.name;
  }
  EXPECT_GE(names.size(), 13u);
  EXPECT_EQ(find_gpu("GTX 9"), nullptr);
}

TEST(GpuSpecs, NarrowerTypesAreNeverSlower) {
  for (const GpuSpec& g : gpu_specs()) {
    auto peak = [&](Unit u) { return g.peak[size_t(u)].value_or(0); };
    EXPECT_GE(peak(Unit::tf32), peak(Unit::f32)) << g.name;
    EXPECT_GE(peak(Unit::bf16), peak(Unit::tf32)) << g.name;
    EXPECT_GE(peak(Unit::f16), peak(Unit::bf16)) << g.name;
    EXPECT_GE(peak(Unit::i8), peak(Unit::f16)) << g.name;
    EXPECT_LE(peak(Unit::f64), peak(Unit::f32)) << g.name;
    if (g.arch == 80 || g.arch == 86) EXPECT_FALSE(g.peak[size_t(Unit::f8)]) << g.name;  // no such unit before sm_89
  }
}

TEST(GpuSpecs, UnitsHaveTextAndBack) {
  for (size_t k = 0; k < kUnits; k++) EXPECT_EQ(unit_from_text(to_text(Unit(k))), Unit(k));
  EXPECT_FALSE(unit_from_text("f4"));
}

TEST(AtLeast, IsTheLargestPart) {
  const GpuSpec& g = *find_gpu("A100-80GB");
  Work w;
  w.bytes = 2039e9;
  TimeBound memory = at_least(g, w);
  EXPECT_DOUBLE_EQ(memory.seconds, 1);
  EXPECT_FALSE(memory.compute);
  w.flops[size_t(Unit::f16)] = 624e12;
  w.flops[size_t(Unit::f32)] = 1e12;
  TimeBound compute = at_least(g, w);
  EXPECT_DOUBLE_EQ(compute.seconds, 2);  // 624 at 312 a second; the units work side by side
  EXPECT_DOUBLE_EQ(compute.memory_seconds, 1);
  EXPECT_EQ(compute.compute, Unit::f16);
}

TEST(AtLeast, AnAbsentPeakOnlyLowersTheBound) {
  Work w;
  w.bytes = 1;
  w.flops[size_t(Unit::f8)] = 1e30;
  EXPECT_LT(at_least(*find_gpu("A100-40GB"), w).seconds, 1e-9);
  EXPECT_GT(at_least(*find_gpu("H100 SXM"), w).seconds, 1e10);
}

TEST(WorkOf, TensorCoreFlopsCountUnderTheTypeOfTheirOperands) {
  Launch l;
  l.unique_load_bytes = 100;
  l.unique_store_bytes = 28;
  l.flops_by = {{"f32", 1}, {"dot_f32", 2}, {"dot_tf32", 4}, {"f16", 8}, {"dot_f16", 16}, {"dot_e4m3", 32}, {"dot_e5m2", 64}, {"dot_i8", 128}, {"dot_f4", 256}};
  Work w = work_of(l);
  EXPECT_EQ(w.bytes, 128);
  EXPECT_EQ(w.flops[size_t(Unit::f32)], 3);
  EXPECT_EQ(w.flops[size_t(Unit::tf32)], 4);
  EXPECT_EQ(w.flops[size_t(Unit::f16)], 24);
  EXPECT_EQ(w.flops[size_t(Unit::f8)], 96);
  EXPECT_EQ(w.flops[size_t(Unit::i8)], 128);
}

}  // namespace
}  // namespace kbx
