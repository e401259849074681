// What a launch counts: by unit and kind, by line, by tensor; and which element of which argument a finding names.
#include <numeric>

#include "fixture.h"

namespace kbx::ir {
namespace {

uint64_t flops(const Report& r, Unit unit, size_t kind) { return r.flops_by[static_cast<size_t>(unit)][kind]; }
uint64_t all_flops(const Report& r) {
  uint64_t sum = 0;
  for (const auto& unit : r.flops_by) sum = std::accumulate(unit.begin(), unit.end(), sum);
  return sum;
}
std::vector<float> ramp(size_t n) {
  std::vector<float> v(n);
  std::iota(v.begin(), v.end(), 1.0f);
  return v;
}

TEST(IrCounts, FlopsGoToTheUnitAndKindThatComputes) {
  std::vector<uint16_t> a(40 * 24, 0x3c00), b(24 * 36, 0x3c00), c(40 * 36);
  TestLaunch l("matmul");
  l.tensor(a).tensor(b).tensor(c).number(40).number(36).number(24);
  l.spec.threads = 2;
  l.spec.grid = {2, 2, 1};
  auto report = launch(l.program(), l.spec);
  ASSERT_TRUE(report);
  EXPECT_EQ(flops(*report, Unit::dot, static_cast<size_t>(Kind::f16)), 4u * 2 * 2 * 32 * 32 * 16);
  EXPECT_EQ(all_flops(*report), report->counts.flops);
}

TEST(IrCounts, LinesAndTensorsAddUpToTheLaunch) {
  std::vector<float> x = ramp(100), y = ramp(100), z(100);
  for (int threads : {1, 2}) {
    TestLaunch l("add");
    l.tensor(x).tensor(y).tensor(z).number(100);
    l.spec.checks.unique_counts = true;
    l.spec.threads = threads;
    Report r = l.run(4);
    LineCounts sum;
    for (const auto& line : r.lines) {
      sum.load_bytes += line.load_bytes;
      sum.store_bytes += line.store_bytes;
      sum.flops += line.flops;
      sum.instructions += line.instructions;
    }
    EXPECT_EQ(sum.load_bytes, 800u);
    EXPECT_EQ(sum.store_bytes, 400u);
    EXPECT_EQ(sum.flops, 128u);
    EXPECT_EQ(sum.instructions, r.counts.instructions);
    EXPECT_EQ(r.lines[0].where.substr(0, 9), "cases.py:");
    EXPECT_EQ(r.lines[0].load_bytes + r.lines[0].store_bytes, 1200u) << "one line of the source does it all";
    ASSERT_EQ(r.ranges.size(), 3u);
    EXPECT_EQ(r.ranges[1].load_bytes, 400u);
    EXPECT_EQ(r.ranges[1].unique_load_bytes, 400u);
    EXPECT_EQ(r.ranges[2].load_bytes, 0u);
    EXPECT_EQ(r.ranges[2].store_bytes, 400u);
    EXPECT_EQ(r.ranges[2].unique_store_bytes, 400u);
  }
}

TEST(IrCounts, AtomicsAreCountedApart) {
  std::vector<float> s(1), y(8);
  TestLaunch l("atomic_then_read");
  l.tensor(s).tensor(y);
  Report r = l.run(8);
  EXPECT_EQ(r.counts.atomic_bytes, 32u);
  EXPECT_EQ(r.ranges[0].atomic_bytes, 32u);
  EXPECT_EQ(r.counts.load_bytes, 32u);
  EXPECT_EQ(r.counts.store_bytes, 32u);
}

TEST(IrPlace, AnAccessOutsideNamesTheArgumentAndTheElement) {
  std::vector<float> x = ramp(40), y(48);
  TestLaunch l("no_mask");
  l.tensor(x).tensor(y);
  Report r = l.run(3);
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].argument, 0);
  EXPECT_EQ(r.findings[0].index, 40);
  EXPECT_EQ(r.findings[0].width, 4u);
}
TEST(IrPlace, AnElementIsCountedFromTheArgumentsOwnAddress) {
  std::vector<float> x = ramp(40), y(48);
  TestLaunch l("no_mask");
  l.tensor(x).tensor(y);
  l.spec.arguments[0] += 4 * 32;  // a view
  Report r = l.run(1);
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].index, 8);
  l.spec.arguments[0] -= 4 * 35;  // three elements before the storage
  r = l.run(1);
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].argument, 0);
  EXPECT_EQ(r.findings[0].index, 0);
  EXPECT_EQ(r.findings[0].distance, -12);
}
TEST(IrPlace, ARaceNamesBothLinesAndTheElement) {
  for (int threads : {1, 2}) {
    if (kThreadSanitizer && threads > 1) continue;
    std::vector<float> x(64, 5);  // every store changes something
    TestLaunch l("stencil");
    l.tensor(x).number(64);
    l.spec.checks.races = true;
    l.spec.threads = threads;
    Report r = l.run(4);
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].argument, 0);
    EXPECT_EQ(r.findings[0].index % 16, 15) << "the last element of a block is its right neighbour's left";
    EXPECT_NE(r.findings[0].line, r.findings[0].other_line);
    EXPECT_NE(r.findings[0].other_line, 0u);
  }
}

}  // namespace
}  // namespace kbx::ir
