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

TEST(GpuSpecs, ADriversNameLeadsToItsRow) {
  auto row = [](std::string_view name, int sms, int64_t gib) {
    const GpuSpec* g = find_gpu_by_driver_name(name, sms, gib << 30);
    return g ? g->name : "";
  };
  EXPECT_EQ(row("NVIDIA H200", 132, 139), "H200");
  EXPECT_EQ(row("NVIDIA H100 80GB HBM3", 132, 79), "H100 SXM");
  EXPECT_EQ(row("NVIDIA H100 PCIe", 114, 79), "H100 PCIe");
  EXPECT_EQ(row("NVIDIA A100-SXM4-80GB", 108, 79), "A100-80GB");
  EXPECT_EQ(row("A100-SXM4-40GB", 108, 39), "A100-40GB");  // drivers before 470
  EXPECT_EQ(row("NVIDIA A100-PCIE-40GB", 108, 39), "A100-40GB");
  EXPECT_EQ(row("NVIDIA A100 80GB PCIe", 108, 79), "A100-80GB PCIe");
  EXPECT_EQ(row("NVIDIA GeForce RTX 4090", 128, 23), "RTX 4090");
  EXPECT_EQ(row("NVIDIA GeForce RTX 5090", 170, 31), "RTX 5090");
  EXPECT_EQ(row("NVIDIA H20", 78, 95), "H20");
  EXPECT_EQ(row("NVIDIA B200", 148, 178), "B200");
  EXPECT_EQ(row("NVIDIA L40S", 0, 0), "L40S");  // not known: not held against the row
}

TEST(GpuSpecs, AnotherCardOfASimilarNameHasNoRow) {
  for (const char* name : {"NVIDIA GeForce RTX 4090 D", "NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA H200 NVL", "NVIDIA H100 NVL", "NVIDIA GH200 480GB", "NVIDIA H20-3e", "NVIDIA L4",
                           "NVIDIA H100 80GB HBM3 MIG 1g.10gb", "nvidia h200", ""})
    EXPECT_EQ(find_gpu_by_driver_name(name, 0, 0), nullptr) << name;
  EXPECT_EQ(find_gpu_by_driver_name("NVIDIA H200", 60, 0), nullptr);               // a part of it
  EXPECT_EQ(find_gpu_by_driver_name("NVIDIA H20", 78, int64_t(139) << 30), nullptr);  // another memory, another bandwidth
}

TEST(GpuSpecs, EveryRowIsReachedByADriversName) {
  std::set<std::string_view> reached;
  for (const char* name : {"A100-SXM4-40GB", "A100-SXM4-80GB", "A100 80GB PCIe", "GeForce RTX 3090", "GeForce RTX 4090", "GeForce RTX 5090", "L40S", "L20", "H20", "H100 PCIe", "H100 80GB HBM3",
                           "H800", "H200", "B200"}) {
    const GpuSpec* g = find_gpu_by_driver_name(std::string("NVIDIA ") + name, 0, 0);
    ASSERT_NE(g, nullptr) << name;
    reached.insert(g->name);
  }
  EXPECT_EQ(reached.size(), gpu_specs().size());
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
