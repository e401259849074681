// The small parts: types, numbers, locations, small floats, program orders, the C interface.
#include <cmath>
#include <set>

#include "fixture.h"
#include "ir/c_api.h"
#include "ir/location.h"
#include "ir/program_order.h"
#include "ir/scan_text.h"
#include "ir/small_float.h"
#include "ir/type.h"

namespace kbx::ir {
namespace {

TEST(IrType, ReadsScalarsTensorsAndPointers) {
  EXPECT_EQ(parse_type("bf16")->kind, Kind::bf16);
  EXPECT_EQ(parse_type("!tt.ptr<f32>")->pointee, Kind::f32);
  EXPECT_EQ(parse_type("!tt.ptr<f16, 1>")->pointee, Kind::f16);
  EXPECT_EQ(parse_type("!tt.ptr<!tt.ptr<f32>>")->pointee, Kind::ptr);
  EXPECT_EQ(parse_type("!tt.ptr<tensor<4xf32>>")->kind, Kind::other);
  EXPECT_EQ(parse_type("!tt.something<1>")->kind, Kind::other);
  Type t = *parse_type("tensor<4x8x!tt.ptr<i8>>");
  EXPECT_EQ(t.lanes, 32u);
  EXPECT_EQ(t.shape, (std::vector<uint32_t>{4, 8}));
  EXPECT_EQ(t.kind, Kind::ptr);
  EXPECT_EQ(t.pointee, Kind::i8);
  EXPECT_FALSE(parse_type("tensor<4x"));
  EXPECT_FALSE(parse_type("!tt.ptr<f32"));
}

TEST(IrScan, IntegersWholeOrNothing) {
  EXPECT_EQ(scan_integer("-5 : i64"), -5);
  EXPECT_EQ(scan_integer("true"), 1);
  EXPECT_EQ(scan_integer("9223372036854775808"), INT64_MIN);
  EXPECT_FALSE(scan_integer("5x"));
  EXPECT_FALSE(scan_integer(""));
  EXPECT_FALSE(scan_integer("99999999999999999999999"));
  EXPECT_EQ(scan_array("array<i32: 1, -2>", 8), (std::vector<int64_t>{1, -2}));
  EXPECT_EQ(scan_array("array<i32>", 8)->size(), 0u);
  EXPECT_FALSE(scan_array("array<i32: 1, 2, 3>", 2));
  EXPECT_FALSE(scan_array("dense<1>", 2));
  EXPECT_EQ(scan_double("-1.5e3"), -1500);
  EXPECT_FALSE(scan_double("1e99999"));
  EXPECT_EQ(scan_hex("0xFF800000"), 0xFF800000u);
}

TEST(IrLocation, PrefersTheCandidatesOwnInnermostLine) {
  LocationTable t;
  t.add("#loc1", "loc(\"/a/triton/language/standard.py\":10:4)");
  t.add("#loc2", "loc(\"/c/kernel.py\":7:2)");
  t.add("#loc3", "loc(\"/c/kernel.py\":30:2)");
  t.add("#loc4", "loc(callsite(#loc1 at #loc2))");
  t.add("#loc5", "loc(\"name\"(#loc2))");
  EXPECT_EQ(t.find("#loc2").text(), "kernel.py:7");
  EXPECT_EQ(t.find("#loc4").text(), "kernel.py:7");
  EXPECT_EQ(t.find("callsite(#loc4 at #loc3)").text(), "kernel.py:7");
  EXPECT_EQ(t.find("#loc5").text(), "kernel.py:7");
  EXPECT_EQ(t.find("fused[#loc3, #loc2]").text(), "kernel.py:30");
  EXPECT_EQ(t.find("#loc1").text(), "standard.py:10");
  EXPECT_EQ(t.find("unknown").text(), "");
  EXPECT_EQ(t.find("#loc99").text(), "");
  EXPECT_EQ(t.find("\"open").text(), "");
}

TEST(IrSmallFloat, EveryHalfSurvivesTheRoundTripAndBothWaysAgree) {
  for (uint32_t b = 0; b < 65536; b++) {
    auto bits = static_cast<uint16_t>(b);
    float f = bits_to_float(Kind::f16, b), p = portable::half_to_float(bits);
    if (std::isnan(f)) {
      EXPECT_TRUE(std::isnan(p));
      continue;
    }
    ASSERT_EQ(f, p);
    ASSERT_EQ(float_to_bits(Kind::f16, f), b);
    ASSERT_EQ(portable::float_to_half(f), bits);
  }
}
TEST(IrSmallFloat, RoundingIsToNearestEvenBothWays) {
  for (uint32_t k = 0; k < 300000; k++) {
    uint32_t u = k * 2654435761u;
    float f;
    std::memcpy(&f, &u, 4);
    if (std::isnan(f)) continue;
    ASSERT_EQ(float_to_bits(Kind::f16, f), portable::float_to_half(f)) << f;
  }
  EXPECT_EQ(float_to_bits(Kind::f16, 1 + 0x1p-11f), 0x3c00u);
  EXPECT_EQ(float_to_bits(Kind::f16, 1 + 3 * 0x1p-11f), 0x3c02u);
  EXPECT_EQ(float_to_bits(Kind::f16, 65520.0f), 0x7c00u);
  EXPECT_EQ(float_to_bits(Kind::bf16, 1 + 0x1p-8f), 0x3f80u);
  EXPECT_EQ(float_to_bits(Kind::bf16, 1 + 3 * 0x1p-8f), 0x3f82u);
  EXPECT_EQ(float_to_bits(Kind::bf16, NAN) & 0x7fff, 0x7fc0u);
}
TEST(IrSmallFloat, Fp8HasItsKnownCorners) {
  EXPECT_EQ(bits_to_float(Kind::e4m3, 0x7e), 448);
  EXPECT_EQ(bits_to_float(Kind::e4m3, 0x01), 0x1p-9f);
  EXPECT_TRUE(std::isnan(bits_to_float(Kind::e4m3, 0x7f)));
  EXPECT_EQ(bits_to_float(Kind::e5m2, 0x7b), 57344);
  EXPECT_TRUE(std::isinf(bits_to_float(Kind::e5m2, 0x7c)));
  EXPECT_EQ(float_to_bits(Kind::e4m3, 1e9f), 0x7eu);
  EXPECT_EQ(float_to_bits(Kind::e4m3, -INFINITY), 0xfeu);
  for (Kind k : {Kind::e4m3, Kind::e5m2})
    for (uint32_t b = 0; b < 256; b++) {
      float f = bits_to_float(k, b);
      if (std::isfinite(f)) EXPECT_EQ(float_to_bits(k, f), b);
    }
}

TEST(IrOrder, IsAPermutationEachTime) {
  for (Order order : {Order::forward, Order::reverse, Order::shuffled})
    for (uint64_t n : {1u, 2u, 7u, 12u, 1000u})
      for (uint64_t seed : {0u, 1u, 99u}) {
        ProgramOrder p(n, order, seed);
        std::set<uint64_t> seen;
        for (uint64_t k = 0; k < n; k++) seen.insert(p.at(k));
        EXPECT_EQ(seen.size(), n);
        EXPECT_LT(*seen.rbegin(), n);
      }
}

TEST(IrCApi, CompilesLaunchesAndReports) {
  std::string text = fixture_text("no_mask");
  char error[200];
  KbxIrProgram* p = kbx_ir_compile(text.data(), text.size(), error, sizeof error);
  ASSERT_NE(p, nullptr) << error;
  EXPECT_EQ(kbx_ir_argument_count(p), 2);
  EXPECT_EQ(kbx_ir_argument_kind(p, 0), KBX_IR_POINTER);
  EXPECT_EQ(kbx_ir_argument_kind(p, 2), -1);
  EXPECT_EQ(kbx_ir_argument_divisibility(p, 0), 16);
  std::vector<float> x(16, 2), y(8);
  uint64_t arguments[] = {reinterpret_cast<uint64_t>(x.data()), reinterpret_cast<uint64_t>(y.data())};
  KbxIrRange ranges[] = {{arguments[0], 64, 0, 4, 10, 0}, {arguments[1], 32, 0, 4, 11, 0}};
  KbxIrLaunch l{};
  l.struct_size = sizeof l;
  l.grid[0] = l.grid[1] = l.grid[2] = 1;
  l.arguments = arguments;
  l.argument_count = 2;
  l.ranges = ranges;
  l.range_count = 2;
  auto report = std::make_unique<KbxIrReport>();
  ASSERT_EQ(kbx_ir_launch(p, &l, report.get()), 0) << report->error;
  EXPECT_EQ(y[7], 2);
  ASSERT_EQ(report->finding_count, 1);
  EXPECT_STREQ(report->findings[0].where, "findings.py:11");
  EXPECT_STREQ(kbx_ir_finding_text(report->findings[0].kind), "out_of_bounds_store");
  EXPECT_EQ(report->findings[0].name, 11);
  EXPECT_EQ(report->completed, 1);
  l.argument_count = 1;
  EXPECT_EQ(kbx_ir_launch(p, &l, report.get()), -1);
  EXPECT_STREQ(report->error, "the kernel takes 2 arguments, the launch has 1");
  l.struct_size = 1;
  EXPECT_EQ(kbx_ir_launch(p, &l, report.get()), -1);
  kbx_ir_free(p);
}
TEST(IrCApi, RefusesWithOneLine) {
  char error[40] = "x";
  EXPECT_EQ(kbx_ir_compile("garbage", 7, error, sizeof error), nullptr);
  EXPECT_TRUE(std::string(error).starts_with("malformed: line 1: "));
  EXPECT_EQ(kbx_ir_compile(nullptr, 0, nullptr, 0), nullptr);
  kbx_ir_free(nullptr);
  EXPECT_STREQ(kbx_ir_finding_text(99), "");
  EXPECT_EQ(kbx_ir_sizeof(3), sizeof(KbxIrReport));
}

}  // namespace
}  // namespace kbx::ir
