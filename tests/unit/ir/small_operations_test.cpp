// Operations too small for a kernel of their own, and those that only some releases of Triton have: one launch each on
// eight lanes.
#include <bit>
#include <cmath>
#include <functional>

#include "fixture.h"

namespace kbx::ir {
namespace {

// x (8 lanes of `in`) -> y (8 lanes of `out`): the body defines %r from %v.
std::string kernel(const std::string& in, const std::string& out, const std::string& body) {
  auto block = [](const std::string& type) { return "tensor<8x" + type + ">"; };
  auto pointers = [&](const std::string& name, const std::string& type) {
    return "%s" + name + " = \"tt.splat\"(%" + name + ") : (!tt.ptr<" + type + ">) -> tensor<8x!tt.ptr<" + type +
           ">>\n%q" + name + " = \"tt.addptr\"(%s" + name + ", %o) : (i32) -> tensor<8x!tt.ptr<" + type + ">>\n";
  };
  return "\"builtin.module\"() ({\n\"tt.func\"() <{function_type = () -> (), sym_name = \"k\", sym_visibility = "
         "\"public\"}> ({\n^bb0(%x: !tt.ptr<" +
         in + ">, %y: !tt.ptr<" + out +
         ">):\n"
         "%o = \"tt.make_range\"() <{end = 8 : i32, start = 0 : i32}> : () -> tensor<8xi32>\n" +
         pointers("x", in) + pointers("y", out) + "%v = \"tt.load\"(%qx) : (i32) -> " + block(in) + "\n" + body +
         "\n\"tt.store\"(%qy, %r) : (i32) -> ()\n\"tt.return\"() : () -> ()\n}) : () -> ()\n}) : () -> ()\n";
}
template <class In, class Out>
std::vector<Out> run(const std::string& text, std::vector<In> x) {
  auto program = compile(text);
  if (!program) {
    ADD_FAILURE() << program.error().message;
    return {};
  }
  std::vector<Out> y(8);
  LaunchSpec spec;
  spec.arguments = {reinterpret_cast<uint64_t>(x.data()), reinterpret_cast<uint64_t>(y.data())};
  spec.ranges = {{reinterpret_cast<uint8_t*>(x.data()), 8 * sizeof(In), nullptr, sizeof(In), 0},
                 {reinterpret_cast<uint8_t*>(y.data()), 8 * sizeof(Out), nullptr, sizeof(Out), 1}};
  spec.checks = {true, true, true, true, true};
  auto report = launch(*program, spec);
  EXPECT_TRUE(report && report->completed && found(*report).empty());
  return y;
}
std::string unary(const std::string& name, const std::string& type) {
  return "%r = \"" + name + "\"(%v) : (i32) -> tensor<8x" + type + ">";
}

TEST(IrSmallOperations, MathFunctionsAgreeWithTheHosts) {
  struct Function {
    const char* name;
    double (*want)(double);
    float shift;
  };
  const Function table[] = {{"math.acos", std::acos, 0},   {"math.asin", std::asin, 0},   {"math.atan", std::atan, 0},
                            {"math.acosh", std::acosh, 1}, {"math.asinh", std::asinh, 0}, {"math.atanh", std::atanh, 0},
                            {"math.cosh", std::cosh, 0},   {"math.sinh", std::sinh, 0},   {"math.cbrt", std::cbrt, 0},
                            {"math.erfc", std::erfc, 0}};
  std::vector<float> x(8);
  for (const Function& f : table) {
    for (size_t k = 0; k < 8; k++) x[k] = f.shift + 0.1f * static_cast<float>(k) + 0.05f;
    auto y = run<float, float>(kernel("f32", "f32", unary(f.name, "f32")), x);
    for (size_t k = 0; k < y.size(); k++) EXPECT_NEAR(y[k], f.want(x[k]), 1e-6) << f.name << " of " << x[k];
  }
}

TEST(IrSmallOperations, TestsGiveOneBit) {
  std::vector<float> x = {0, -1, INFINITY, -INFINITY, NAN, 1e-40f, 3e38f, -0.0f};
  auto ask = [&](const std::string& name) {
    std::string body =
        "%b = \"" + name + "\"(%v) : (i32) -> tensor<8xi1>\n%r = \"arith.extui\"(%b) : (i32) -> tensor<8xi32>";
    return run<float, int32_t>(kernel("f32", "i32", body), x);
  };
  EXPECT_EQ(ask("math.isnan"), (std::vector<int32_t>{0, 0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(ask("math.isinf"), (std::vector<int32_t>{0, 0, 1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(ask("math.isfinite"), (std::vector<int32_t>{1, 1, 0, 0, 0, 1, 1, 1}));
}

TEST(IrSmallOperations, BitsAreCounted) {
  std::vector<int32_t> x = {0, 1, -1, 8, 0x00f0, INT32_MIN, 6, 7};
  EXPECT_EQ((run<int32_t, int32_t>(kernel("i32", "i32", unary("math.ctpop", "i32")), x)),
            (std::vector<int32_t>{0, 1, 32, 1, 4, 1, 2, 3}));
  EXPECT_EQ((run<int32_t, int32_t>(kernel("i32", "i32", unary("math.ctlz", "i32")), x)),
            (std::vector<int32_t>{32, 31, 0, 28, 24, 0, 29, 29}));
  EXPECT_EQ((run<int32_t, int32_t>(kernel("i32", "i32", unary("math.cttz", "i32")), x)),
            (std::vector<int32_t>{32, 0, 0, 3, 4, 31, 1, 0}));
}

TEST(IrSmallOperations, UnsignedCeilingDivisionAndIndexCasts) {
  std::vector<int32_t> x = {0, 1, 2, 3, 4, -1, 7, 8};
  auto y = run<int32_t, int32_t>(
      kernel("i32", "i32",
             "%t = \"arith.constant\"() <{value = dense<3> : tensor<8xi32>}> : () -> tensor<8xi32>\n"
             "%r = \"arith.ceildivui\"(%v, %t) : (i32) -> tensor<8xi32>"),
      x);
  EXPECT_EQ(y, (std::vector<int32_t>{0, 1, 1, 1, 2, 0x55555555, 3, 3}));
  auto z = run<int32_t, int64_t>(kernel("i32", "i64", unary("arith.index_castui", "i64")), x);
  EXPECT_EQ(z[5], 0xffffffff);
}

TEST(IrSmallOperations, ApproximateDivisionIsDivision) {
  std::vector<float> x = {1, 2, 3, 4, 5, 6, 7, 0};
  auto y = run<float, float>(kernel("f32", "f32", "%r = \"tt.approx_divf\"(%v, %v) : (i32) -> tensor<8xf32>"), x);
  for (size_t k = 0; k < 7; k++) EXPECT_EQ(y[k], 1);
  EXPECT_TRUE(std::isnan(y[7]));
}

TEST(IrSmallOperations, AtomicLoadsAndStoresOfAnyWidth) {
  for (const char* type : {"i8", "i16", "i32", "i64"}) {
    std::string t = type;
    std::string body =
        "%m = \"arith.constant\"() <{value = dense<[true, true, true, true, true, true, true, false]> : "
        "tensor<8xi1>}> : () -> tensor<8xi1>\n%r = \"tt.atomic_load\"(%qx, %m) : (i32) -> tensor<8x" +
        t + ">\n\"tt.atomic_store\"(%qx, %r, %m) : (i32) -> ()";
    std::vector<int64_t> x = {0x0807060504030201, 2, 3, 4, 5, 6, 7, 8};
    auto y = run<int64_t, int64_t>(kernel(t, t, body), x);
    size_t bytes = t == "i8" ? 1 : t == "i16" ? 2 : t == "i32" ? 4 : 8;
    EXPECT_EQ(std::memcmp(y.data(), x.data(), 7 * bytes), 0) << t;
    EXPECT_EQ(reinterpret_cast<uint8_t*>(y.data())[7 * bytes], 0) << t;
  }
}

// Program 0 waits for what program 1 stores.
TEST(IrSmallOperations, APollLetsOtherProgramsGoOn) {
  std::string text = R"("builtin.module"() ({
"tt.func"() <{function_type = (!tt.ptr<i32>) -> (), sym_name = "k", sym_visibility = "public"}> ({
^bb0(%x: !tt.ptr<i32>):
%one = "arith.constant"() <{value = 1 : i32}> : () -> i32
%p = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
%zero = "arith.constant"() <{value = 0 : i32}> : () -> i32
%first = "arith.cmpi"(%p, %zero) <{predicate = 0 : i64}> : (i32, i32) -> i1
"scf.if"(%first) ({
  %seen = "tt.atomic_poll"(%x, %one) : (i32) -> i1
  %n = "arith.extui"(%seen) : (i1) -> i32
  %q = "tt.addptr"(%x, %one) : (i32) -> !tt.ptr<i32>
  "tt.store"(%q, %n) : (i32) -> ()
  "scf.yield"() : () -> ()
}, {
  "tt.atomic_store"(%x, %one) : (i32) -> ()
  "scf.yield"() : () -> ()
}) : (i1) -> ()
"tt.return"() : () -> ()
}) : () -> ()
}) : () -> ()
)";
  auto program = compile(text);
  ASSERT_TRUE(program) << program.error().message;
  for (int threads : {1, 2}) {
    std::vector<int32_t> x = {0, 0};
    LaunchSpec spec;
    spec.grid = {2, 1, 1};
    spec.threads = threads;
    spec.arguments = {reinterpret_cast<uint64_t>(x.data())};
    spec.ranges = {{reinterpret_cast<uint8_t*>(x.data()), 8, nullptr, 4, 0}};
    spec.checks = {true, true, true, true, true};
    auto report = launch(*program, spec);
    ASSERT_TRUE(report && report->completed);
    EXPECT_EQ(found(*report), "");
    EXPECT_EQ(x, (std::vector<int32_t>{1, 1}));
  }
}

TEST(IrSmallOperations, TheScaledProductOfTriton32IsRead) {
  std::string body = R"(%a = "arith.constant"() <{value = dense<34> : tensor<32x32xi8>}> : () -> tensor<32x32xi8>
%b = "arith.constant"() <{value = dense<56> : tensor<64x32xi8>}> : () -> tensor<64x32xi8>
%c = "arith.constant"() <{value = dense<0.0> : tensor<32x32xf32>}> : () -> tensor<32x32xf32>
%s = "arith.constant"() <{value = dense<128> : tensor<32x2xi8>}> : () -> tensor<32x2xi8>
%d = "tt.dot_scaled"(%a, %b, %c, %s) <{lhs_type = 4 : i32, rhs_type = 0 : i32}> : (i32) -> tensor<32x32xf32>
%e = "tt.reduce"(%d) <{axis = 1 : i32}> ({
^bb0(%p: f32, %q: f32):
  %m = "arith.maxnumf"(%p, %q) : (f32, f32) -> f32
  "tt.reduce.return"(%m) : (f32) -> ()
}) : (i32) -> tensor<32xf32>
%h = "tt.reshape"(%e) : (i32) -> tensor<4x8xf32>
%r = "tt.reduce"(%h) <{axis = 0 : i32}> ({
^bb0(%p: f32, %q: f32):
  %m = "arith.minnumf"(%p, %q) : (f32, f32) -> f32
  "tt.reduce.return"(%m) : (f32) -> ()
}) : (i32) -> tensor<8xf32>)";
  auto y = run<float, float>(kernel("f32", "f32", body), std::vector<float>(8));
  for (float v : y) EXPECT_EQ(v, 64 * 2.0f);  // 64 products of 1 (code 2, twice a byte), scaled by 2, and 1 (e4m3 56)
}

// e2m1 by e2m1 with scales in e4m3, one for 16 values: all ones, scaled by 2 and by 1.5.
TEST(IrSmallOperations, ScalesMayBeFp8) {
  auto constant = [](const std::string& name, const std::string& value, const std::string& type) {
    return "%" + name + " = \"arith.constant\"() <{value = dense<" + value + "> : tensor<" + type +
           ">}> : () -> tensor<" + type + ">\n";
  };
  std::string body = constant("a", "34", "32x16xi8") + constant("b", "34", "16x8xi8") +
                     constant("c", "0.0", "32x8xf32") + constant("s", "2.0", "32x2xf8E4M3FN") +
                     constant("t", "1.5", "8x2xf8E4M3FN") +
                     "%d = \"tt.dot_scaled\"(%a, %b, %c, %s, %t) <{a_elem_type = 4 : i32, b_elem_type = 4 : i32, "
                     "operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (i32) -> tensor<32x8xf32>\n"
                     "%r = \"tt.reduce\"(%d) <{axis = 0 : i32}> ({\n^bb0(%p: f32, %q: f32):\n"
                     "%m = \"arith.maxnumf\"(%p, %q) : (f32, f32) -> f32\n\"tt.reduce.return\"(%m) : (f32) -> ()\n}) : "
                     "(i32) -> tensor<8xf32>";
  for (float v : run<float, float>(kernel("f32", "f32", body), std::vector<float>(8))) EXPECT_EQ(v, 32 * 3.0f);
}

// Lanes 4 to 7 are masked off without `other`; a branch of the mapped function looks at each lane.
std::string masked_map() {
  return "%lim = \"arith.constant\"() <{value = dense<4> : tensor<8xi32>}> : () -> tensor<8xi32>\n"
         "%m = \"arith.cmpi\"(%o, %lim) <{predicate = 2 : i64}> : (i32) -> tensor<8xi1>\n"
         "%w = \"tt.load\"(%qx, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32) -> tensor<8xi32>\n"
         "%r = \"tt.map_elementwise\"(%w) <{pack = 1 : i32}> ({\n^bb0(%a: i32):\n"
         "%one = \"arith.constant\"() <{value = 1 : i32}> : () -> i32\n"
         "%big = \"arith.cmpi\"(%a, %one) <{predicate = 4 : i64}> : (i32) -> i1\n"
         "\"cf.cond_br\"(%big, %a, %one)[^c, ^c] <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (i32) -> ()\n"
         "^c(%b: i32):\n\"tt.map_elementwise.return\"(%b) : (i32) -> ()\n}) : (i32) -> tensor<8xi32>\n";
}
std::string found_in(const std::string& text) {
  auto program = compile(text);
  if (!program) return program.error().message;
  std::vector<int32_t> x = {5, 6, 7, 8, 0, 0, 0, 0}, y(8);
  LaunchSpec spec;
  spec.arguments = {reinterpret_cast<uint64_t>(x.data()), reinterpret_cast<uint64_t>(y.data())};
  spec.ranges = {{reinterpret_cast<uint8_t*>(x.data()), 32, nullptr, 4, 0},
                 {reinterpret_cast<uint8_t*>(y.data()), 32, nullptr, 4, 1}};
  spec.checks.undefined = true;
  auto report = launch(*program, spec);
  return report ? found(*report) : report.error().message;
}
TEST(IrSmallOperations, UndefinedLanesOfAMapMatterWhereTheyAreStored) {
  std::string frame = kernel("i32", "i32", masked_map());
  EXPECT_EQ(found_in(frame), "undefined_store@");
  size_t at = frame.find("\"tt.store\"(%qy, %r)");
  frame.replace(at, 19, "\"tt.store\"(%qy, %r, %m)");
  EXPECT_EQ(found_in(frame), "") << "a masked-off lane may branch as it likes";
}

}  // namespace
}  // namespace kbx::ir
