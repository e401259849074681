// Wrong kernels: what is found, where, how far, by which program; and right ones that look suspicious.
#include <numeric>

#include "fixture.h"

namespace kbx::ir {
namespace {

std::vector<float> ramp(size_t n) {
  std::vector<float> v(n);
  std::iota(v.begin(), v.end(), 0.0f);
  return v;
}

TEST(IrBounds, AnAccessPastTheEndIsFoundAndMemoryIsNotTouched) {
  auto x = ramp(24), y = std::vector<float>(40, -1);
  y.resize(24);
  Report r = TestLaunch("no_mask").tensor(x).tensor(y).run(2);
  ASSERT_EQ(found(r), "out_of_bounds_load@findings.py:10 out_of_bounds_store@findings.py:11");
  const Finding& f = r.findings[0];
  EXPECT_EQ(f.count, 8u);
  EXPECT_EQ(f.distance, 4);
  EXPECT_EQ(f.offset, 24 * 4);
  EXPECT_EQ(f.element, 8);
  EXPECT_EQ(f.range, 0);
  EXPECT_EQ(f.name, 100);
  EXPECT_EQ(f.program[0], 1);
  EXPECT_EQ(f.line, 10u);
  EXPECT_EQ(f.operation, "tt.load");
  EXPECT_EQ(r.findings[1].name, 101);
  EXPECT_EQ(y, x);
}

TEST(IrBounds, APointerBelongsToItsTensorEvenWhereItHitsAnother) {
  std::vector<float> both = ramp(16), y(1);
  TestLaunch l("provenance");
  l.tensor(both).tensor(y).number(12);
  l.spec.ranges[0].size = 8 * 4;
  l.spec.ranges.push_back({reinterpret_cast<uint8_t*>(both.data() + 8), 8 * 4, nullptr, 4, 7});
  Report r = l.run();
  EXPECT_EQ(found(r), "out_of_bounds_load@findings.py:105");
  EXPECT_EQ(r.findings[0].distance, 20);
  EXPECT_EQ(r.findings[0].range, 0);
}

TEST(IrBounds, BeforeTheStartIsANegativeDistance) {
  std::vector<float> x = ramp(16), y(1);
  Report r = TestLaunch("provenance").tensor(x).tensor(y).number(-3).run();
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].distance, -12);
}

TEST(IrBounds, APointerOfAnEmptyTensorReachesNothing) {
  std::vector<float> x, y(1);
  Report r = TestLaunch("provenance").tensor(x).tensor(y).number(0).run();
  EXPECT_EQ(found(r), "out_of_bounds_load@findings.py:105");
}

TEST(IrBounds, APointerTableReachesRegisteredStoragesOnly) {
  std::vector<float> a = ramp(16), b(16, 5), y(48);
  std::vector<int64_t> table{reinterpret_cast<int64_t>(a.data()), reinterpret_cast<int64_t>(b.data())};
  TestLaunch l("table");
  l.tensor(table).tensor(y);
  l.spec.ranges.push_back({reinterpret_cast<uint8_t*>(a.data()), 64, nullptr, 4, 0});
  Report r = l.run(2);
  ASSERT_EQ(found(r), "out_of_bounds_load@findings.py:121");
  EXPECT_EQ(r.findings[0].range, -1);
  EXPECT_EQ(y[3], 3);
  EXPECT_EQ(y[16], 0);
}

TEST(IrBounds, MisalignedAccessesAreFound) {
  std::vector<int32_t> x(4), y(1);
  EXPECT_NE(found(TestLaunch("misaligned").tensor(x).tensor(y).run()).find("misaligned_access@findings.py:99"),
            std::string::npos);
}

TEST(IrUndefined, AMaskedLaneWithoutOtherThatIsStored) {
  std::vector<float> x = ramp(16), y(16);
  TestLaunch l("masked_no_other");
  l.tensor(x).tensor(y).number(5);
  l.spec.checks.undefined = true;
  Report r = l.run();
  ASSERT_EQ(found(r), "undefined_store@findings.py:18");
  EXPECT_EQ(r.findings[0].count, 11u);
  EXPECT_EQ(r.findings[0].element, 5);
}

TEST(IrUndefined, AMaskedLaneThatDecidesNothingIsFine) {
  std::vector<float> x = ramp(16), y(32);
  TestLaunch l("masked_but_unused");
  l.tensor(x).tensor(y).number(5);
  l.spec.checks.undefined = true;
  EXPECT_EQ(found(l.run()), "");
}

TEST(IrUndefined, AddressMaskAndBranchAreNamed) {
  std::vector<float> x = ramp(16), y(16);
  std::vector<int32_t> i(16, 1);
  TestLaunch l("undefined_decides");
  l.tensor(x).tensor(i).tensor(y).number(5);
  l.spec.checks.undefined = true;
  EXPECT_EQ(found(l.run()),
            "undefined_mask@findings.py:34 undefined_address@findings.py:33 undefined_branch@findings.py:35");
}

TEST(IrUndefined, MemoryNeverWrittenIsFollowedAndStoresDefineIt) {
  std::vector<float> x = ramp(16), y(16);
  std::vector<uint8_t> of_x(64, 0), of_y(64, 1);
  std::fill_n(of_x.begin(), 8, 1);
  TestLaunch l("no_mask");
  l.tensor(x).undefined(of_x).tensor(y).undefined(of_y);
  l.spec.checks.undefined = true;
  Report r = l.run();
  ASSERT_EQ(found(r), "undefined_store@findings.py:11");
  EXPECT_EQ(r.findings[0].count, 2u);
  EXPECT_EQ(of_y[0], 1);
  EXPECT_EQ(of_y[8], 0);
}

struct RaceCase {
  int threads;
  Order order;
};
class IrRace : public testing::TestWithParam<RaceCase> {
 protected:
  void SetUp() override {
    if (kThreadSanitizer && GetParam().threads > 1) GTEST_SKIP() << "a racing kernel on two threads";
  }
  Report run(TestLaunch& l, int programs) {
    l.spec.checks.races = true;
    l.spec.threads = GetParam().threads;
    l.spec.order = GetParam().order;
    return l.run(programs);
  }
};

TEST_P(IrRace, ALostUpdateIsAStoreAgainstALoad) {
  std::vector<float> y(1);
  TestLaunch l("lost_update");
  Report r = run(l.tensor(y), 2);
  ASSERT_EQ(r.findings.size(), 1u) << found(r);
  const Finding& f = r.findings[0];
  EXPECT_TRUE(f.kind == FindingKind::race_store_load || f.kind == FindingKind::race_store_store) << found(r);
  EXPECT_EQ(f.where, "findings.py:41");
  EXPECT_EQ(f.other_where, "findings.py:41");
  EXPECT_EQ(f.offset, 0);
  EXPECT_NE(f.program, f.other_program);
}
TEST_P(IrRace, AStencilInPlaceNamesBothLines) {
  std::vector<float> x(64);
  TestLaunch l("stencil");
  Report r = run(l.tensor(x).number(64), 4);
  ASSERT_EQ(found(r), "race_store_load@findings.py:48");
  EXPECT_EQ(r.findings[0].other_where, "findings.py:47");
  EXPECT_EQ(r.findings[0].count, 3u);
}
TEST_P(IrRace, TwoProgramsThatStoreDifferentValues) {
  std::vector<float> y(16);
  TestLaunch l("store_store");
  Report r = run(l.tensor(y), 3);
  ASSERT_EQ(found(r), "race_store_store@findings.py:53");
  EXPECT_EQ(r.findings[0].count, 16u);
}
TEST_P(IrRace, AnAtomicThatIsReadPlainly) {
  std::vector<float> s(1), y(3);
  TestLaunch l("atomic_then_read");
  Report r = run(l.tensor(s).tensor(y), 3);
  ASSERT_EQ(found(r), "race_atomic_load@findings.py:63");
  EXPECT_EQ(r.findings[0].other_where, "findings.py:64");
}
TEST_P(IrRace, ReadingTheSameCellsIsNone) {
  std::vector<float> x = ramp(64), y(64);
  TestLaunch l("no_mask");
  EXPECT_EQ(found(run(l.tensor(x).tensor(y), 4)), "");
}
INSTANTIATE_TEST_SUITE_P(Ways, IrRace,
                         testing::Values(RaceCase{1, Order::forward}, RaceCase{1, Order::reverse},
                                         RaceCase{2, Order::forward}));

TEST(IrRaces, AStoreThatChangesNothingIsNone) {
  std::vector<float> y(16, 3);
  TestLaunch l("same_store");
  l.tensor(y);
  l.spec.checks.races = true;
  EXPECT_EQ(found(l.run(3)), "");
}
TEST(IrRaces, OneBlockThatStoresTwoValuesToACell) {
  std::vector<int32_t> y(16);
  TestLaunch l("double_store");
  l.tensor(y);
  l.spec.checks.races = true;
  Report r = l.run();
  ASSERT_EQ(found(r), "double_store@findings.py:70");
  EXPECT_EQ(r.findings[0].count, 8u);
  EXPECT_EQ(r.findings[0].element, 1);
}

TEST(IrLimits, AnEndlessKernelStopsAtTheTimeLimit) {
  std::vector<int32_t> flag(1), y(1);
  TestLaunch l("endless");
  l.tensor(flag).tensor(y);
  l.spec.time_limit_s = 0.05;
  Report r = l.run(3);
  EXPECT_FALSE(r.completed);
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].kind, FindingKind::time_limit);
}
TEST(IrLimits, AndAtTheStepLimitTheSameEverywhere) {
  std::vector<int32_t> flag(1), y(1);
  TestLaunch l("endless");
  l.tensor(flag).tensor(y);
  l.spec.step_limit = 1000;
  Report r = l.run();
  EXPECT_FALSE(r.completed);
  EXPECT_EQ(r.counts.instructions, 1000u);
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].kind, FindingKind::step_limit);
}

TEST(IrAsserts, AreOffUnlessAskedFor) {
  std::vector<float> x = ramp(16), y(16);
  TestLaunch l("assert");
  l.tensor(x).tensor(y);
  EXPECT_EQ(found(l.run()), "");
  l.spec.checks.asserts = true;
  Report r = l.run();
  ASSERT_EQ(found(r), "device_assert@findings.py:85");
  EXPECT_EQ(r.findings[0].element, 0);
}
TEST(IrGather, AnIndexOutsideIsFound) {
  std::vector<float> x = ramp(16), y(16);
  std::vector<int32_t> i(16, 3);
  i[2] = 16;
  i[5] = -1;
  Report r = TestLaunch("gather_far").tensor(x).tensor(i).tensor(y).run();
  ASSERT_EQ(found(r), "gather_index@findings.py:92");
  EXPECT_EQ(r.findings[0].count, 2u);
  EXPECT_EQ(r.findings[0].element, 2);
}
TEST(IrAlignment, AFalseDivisibilityIsFoundOnlyWhenAsked) {
  std::vector<float> x = ramp(64), y(64);
  TestLaunch l("no_mask");
  l.tensor(x).tensor(y);
  l.spec.arguments[0] += 4;
  EXPECT_EQ(found(l.run()), "");
  l.spec.checks.alignment = true;
  Report r = l.run();
  ASSERT_GE(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].kind, FindingKind::false_divisibility);
  EXPECT_EQ(r.findings[0].name, 0);
}
TEST(IrDivision, ByZeroIsWhatTheGpuGives) {
  std::vector<int32_t> x(32, 7), y(32);
  for (int k = 16; k < 32; k++) x[static_cast<size_t>(k)] = 0;
  x[17] = -1;
  x[1] = INT32_MIN;
  EXPECT_EQ(found(TestLaunch("divide").tensor(x).tensor(y).run()), "");
  EXPECT_EQ(y[0], -1);
  EXPECT_EQ(y[16], 7);
  EXPECT_EQ(y[1], INT32_MIN);
  EXPECT_EQ(y[17], 0);
}

TEST(IrCounts, EqualTheFormulas) {
  std::vector<float> x = ramp(100), y = ramp(100), z(100);
  TestLaunch l("add");
  l.tensor(x).tensor(y).tensor(z).number(100);
  l.spec.checks.unique_counts = true;
  for (int threads : {1, 2}) {
    l.spec.threads = threads;
    Report r = l.run(4);
    EXPECT_EQ(r.counts.load_bytes, 800u);
    EXPECT_EQ(r.counts.store_bytes, 400u);
    EXPECT_EQ(r.counts.unique_load_bytes, 800u);
    EXPECT_EQ(r.counts.unique_store_bytes, 400u);
    EXPECT_EQ(r.counts.flops, 128u);
  }
}

TEST(IrLaunch, RefusesWhatDoesNotFitTheKernel) {
  std::vector<float> x(16), y(16);
  TestLaunch l("no_mask");
  l.tensor(x);
  EXPECT_FALSE(launch(l.program(), l.spec));
  l.tensor(y);
  l.spec.grid = {-1, 1, 1};
  EXPECT_FALSE(launch(l.program(), l.spec));
  l.spec.grid = {1 << 20, 1 << 20, 1};
  EXPECT_FALSE(launch(l.program(), l.spec));
  l.spec.grid = {0, 1, 1};
  EXPECT_TRUE(launch(l.program(), l.spec));
  l.spec.ranges[0].granule = 3;
  EXPECT_FALSE(launch(l.program(), l.spec));
  l.spec.ranges[0].granule = 4;
  l.spec.argument_ranges[0] = 2;
  EXPECT_FALSE(launch(l.program(), l.spec));
}

}  // namespace
}  // namespace kbx::ir
