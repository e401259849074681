// libdevice by symbol: each function against the C library's in double precision, rounded to float.
#include <cmath>
#include <string>

#include "fixture.h"

namespace kbx::ir {
namespace {

std::string kernel(const std::string& symbol) {
  return R"("builtin.module"() ({
"tt.func"() <{function_type = (!tt.ptr<f32>) -> (), sym_name = "k", sym_visibility = "public"}> ({
^bb0(%p: !tt.ptr<f32>):
%o = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32>
%s = "tt.splat"(%p) : (!tt.ptr<f32>) -> tensor<64x!tt.ptr<f32>>
%q = "tt.addptr"(%s, %o) : (tensor<64x!tt.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tt.ptr<f32>>
%v = "tt.load"(%q) : (tensor<64x!tt.ptr<f32>>) -> tensor<64xf32>
%e = "tt.extern_elementwise"(%v) <{libname = "", libpath = "", pure = true, symbol = ")" +
         symbol + R"("}> : (tensor<64xf32>) -> tensor<64xf32>
"tt.store"(%q, %e) : (tensor<64x!tt.ptr<f32>>, tensor<64xf32>) -> ()
"tt.return"() : () -> ()
}) : () -> ()
}) : () -> ()
)";
}

struct Function {
  const char* symbol;
  double (*want)(double);
  double shift;  // inputs are shift + (0, 1)
};

TEST(IrLibdevice, UnaryFunctionsAgreeWithDoublePrecision) {
  const Function table[] = {
      {"__nv_acosf", std::acos, 0}, {"__nv_acoshf", std::acosh, 1}, {"__nv_asinf", std::asin, 0}, {"__nv_asinhf", std::asinh, 0}, {"__nv_atanf", std::atan, 0},
      {"__nv_atanhf", std::atanh, 0}, {"__nv_cbrtf", std::cbrt, 0}, {"__nv_ceilf", std::ceil, 0}, {"__nv_cosf", std::cos, 0}, {"__nv_coshf", std::cosh, 0},
      {"__nv_erff", std::erf, 0}, {"__nv_erfcf", std::erfc, 0}, {"__nv_expf", std::exp, 0}, {"__nv_exp2f", std::exp2, 0}, {"__nv_expm1f", std::expm1, 0},
      {"__nv_floorf", std::floor, 0}, {"__nv_logf", std::log, 1}, {"__nv_log10f", std::log10, 1}, {"__nv_log1pf", std::log1p, 0}, {"__nv_log2f", std::log2, 1},
      {"__nv_lgammaf", std::lgamma, 3}, {"__nv_sinf", std::sin, 0}, {"__nv_sinhf", std::sinh, 0}, {"__nv_sqrtf", std::sqrt, 0}, {"__nv_tanf", std::tan, 0},
      {"__nv_tanhf", std::tanh, 0}, {"__nv_tgammaf", std::tgamma, 1}, {"__nv_truncf", std::trunc, 0},
  };
  for (const Function& f : table) {
    auto program = compile(kernel(f.symbol));
    ASSERT_TRUE(program) << f.symbol;
    std::vector<float> v(64), x(64);
    for (size_t k = 0; k < v.size(); k++) x[k] = v[k] = float(f.shift + (double(k) + 0.5) / 64);
    LaunchSpec spec;
    spec.arguments = {reinterpret_cast<uint64_t>(v.data())};
    spec.ranges = {{reinterpret_cast<uint8_t*>(v.data()), v.size() * sizeof(float), nullptr, 4, 0}};
    ASSERT_TRUE(launch(*program, spec)) << f.symbol;
    for (size_t k = 0; k < v.size(); k++) {
      double want = f.want(double(x[k]));
      ASSERT_NEAR(v[k], want, 4e-7 * std::fabs(want) + 1e-12) << f.symbol << "(" << x[k] << ")";
    }
  }
}

TEST(IrLibdevice, AnUnknownSymbolIsRefusedByName) {
  auto program = compile(kernel("__nv_no_such_function"));
  ASSERT_FALSE(program);
  EXPECT_NE(program.error().message.find("__nv_no_such_function"), std::string::npos) << program.error().message;
}

// One kernel with any types: up to three operands that are loaded from one tensor each, and a result.
struct Call {
  const char* symbol;
  std::vector<std::string> in;
  const char* out;
};
template <class Out, class... In>
Out call(const Call& f, In... values) {
  std::string head, body, use;
  for (size_t k = 0; k < f.in.size(); k++) {
    std::string n = std::to_string(k);
    head += "%p" + n + ": !tt.ptr<" + f.in[k] + ">, ";
    body += "%v" + n + " = \"tt.load\"(%p" + n + ") : (i32) -> " + f.in[k] + "\n";
    use += (k ? ", %v" : "%v") + n;
  }
  auto program = compile("\"builtin.module\"() ({\n\"tt.func\"() <{function_type = () -> (), sym_name = \"k\", "
                         "sym_visibility = \"public\"}> ({\n^bb0(" + head + "%y: !tt.ptr<" + f.out + ">):\n" + body +
                         "%r = \"tt.extern_elementwise\"(" + use + ") <{symbol = \"" + f.symbol + "\"}> : (i32) -> " +
                         f.out + "\n\"tt.store\"(%y, %r) : (i32) -> ()\n\"tt.return\"() : () -> ()\n}) : () -> ()\n}) : () -> ()\n");
  if (!program) {
    ADD_FAILURE() << f.symbol << ": " << program.error().message;
    return Out{};
  }
  Out result{};
  LaunchSpec spec;
  auto add = [&](auto& v) {
    spec.arguments.push_back(reinterpret_cast<uint64_t>(&v));
    spec.ranges.push_back({reinterpret_cast<uint8_t*>(&v), sizeof v, nullptr, sizeof v, 0});
  };
  (add(values), ...);
  add(result);
  EXPECT_TRUE(launch(*program, spec));
  return result;
}

TEST(IrLibdevice, DirectedRoundingGoesItsWay) {
  const float third = 1.0f / 3;
  EXPECT_EQ(call<float>({"__nv_fdiv_rd", {"f32", "f32"}, "f32"}, 1.0f, 3.0f), std::nextafterf(third, 0));
  EXPECT_EQ(call<float>({"__nv_fdiv_ru", {"f32", "f32"}, "f32"}, 1.0f, 3.0f), third);
  EXPECT_EQ(call<float>({"__nv_fdiv_rz", {"f32", "f32"}, "f32"}, -1.0f, 3.0f), -std::nextafterf(third, 0));
  EXPECT_EQ(call<float>({"__nv_fadd_ru", {"f32", "f32"}, "f32"}, 1.0f, 1e-30f), std::nextafterf(1, 2));
  EXPECT_EQ(call<float>({"__nv_fadd_rn", {"f32", "f32"}, "f32"}, 1.0f, 1e-30f), 1);
  EXPECT_EQ(call<double>({"__nv_dmul_rd", {"f64", "f64"}, "f64"}, 1.1, 1.1), 1.1 * 1.1);
  EXPECT_EQ(call<double>({"__nv_dmul_ru", {"f64", "f64"}, "f64"}, 1.1, 1.1), std::nextafter(1.1 * 1.1, 2));
  EXPECT_EQ(call<float>({"__nv_fmaf_rz", {"f32", "f32", "f32"}, "f32"}, 1.0f, -1e-30f, 1.0f), std::nextafterf(1, 0));
  EXPECT_EQ(call<float>({"__nv_fsqrt_ru", {"f32"}, "f32"}, 2.0f), std::nextafterf(std::sqrt(2.0f), 2));
  EXPECT_EQ(call<float>({"__nv_double2float_rd", {"f64"}, "f32"}, 0.1), std::nextafterf(0.1f, 0));
  EXPECT_EQ(call<float>({"__nv_int2float_rz", {"i32"}, "f32"}, INT32_MAX), 2147483520.0f);
  EXPECT_EQ(call<float>({"__nv_ull2float_ru", {"i64"}, "f32"}, uint64_t{1} << 63 | 1), 9223373136366403584.0f);
  EXPECT_EQ(call<float>({"__nv_fdiv_rn", {"f32", "f32"}, "f32"}, 1.0f, 3.0f), third) << "the mode is put back";
}

TEST(IrLibdevice, ConversionsToIntegersRoundAndSaturate) {
  for (auto [symbol, want] : {std::pair{"__nv_float2int_rn", -2}, {"__nv_float2int_rd", -2}, {"__nv_float2int_ru", -1}, {"__nv_float2int_rz", -1}})
    EXPECT_EQ(call<int32_t>({symbol, {"f32"}, "i32"}, -1.5f), want) << symbol;
  EXPECT_EQ(call<int32_t>({"__nv_float2int_rn", {"f32"}, "i32"}, 1e20f), INT32_MAX);
  EXPECT_EQ(call<int32_t>({"__nv_float2int_rn", {"f32"}, "i32"}, NAN), 0);
  EXPECT_EQ(call<uint32_t>({"__nv_float2uint_rn", {"f32"}, "i32"}, -5.0f), 0u);
  EXPECT_EQ(call<int64_t>({"__nv_double2ll_rd", {"f64"}, "i64"}, -0.5), -1);
  EXPECT_EQ(call<int64_t>({"__nv_llroundf", {"f32"}, "i64"}, 2.5f), 3);
  EXPECT_EQ(call<int64_t>({"__nv_llrintf", {"f32"}, "i64"}, 2.5f), 2);
}

TEST(IrLibdevice, BitsAndIntegers) {
  EXPECT_EQ(call<int32_t>({"__nv_clz", {"i32"}, "i32"}, 1), 31);
  EXPECT_EQ(call<int32_t>({"__nv_ffsll", {"i64"}, "i32"}, int64_t{8}), 4);
  EXPECT_EQ(call<int32_t>({"__nv_popcll", {"i64"}, "i32"}, int64_t{-1}), 64);
  EXPECT_EQ(call<uint32_t>({"__nv_brev", {"i32"}, "i32"}, 1), 0x80000000u);
  EXPECT_EQ(call<int32_t>({"__nv_abs", {"i32"}, "i32"}, -7), 7);
  EXPECT_EQ(call<int32_t>({"__nv_mulhi", {"i32", "i32"}, "i32"}, -1, 1), -1);
  EXPECT_EQ(call<uint32_t>({"__nv_umulhi", {"i32", "i32"}, "i32"}, -1, -1), 0xfffffffeu);
  EXPECT_EQ(call<int64_t>({"__nv_mul64hi", {"i64", "i64"}, "i64"}, int64_t{-1}, int64_t{1}), -1);
  EXPECT_EQ(call<int32_t>({"__nv_mul24", {"i32", "i32"}, "i32"}, 0x00ffffff, 3), -3);
  EXPECT_EQ(call<int32_t>({"__nv_hadd", {"i32", "i32"}, "i32"}, -3, 0), -2);
  EXPECT_EQ(call<int32_t>({"__nv_rhadd", {"i32", "i32"}, "i32"}, 2, 1), 2);
  EXPECT_EQ(call<uint32_t>({"__nv_sad", {"i32", "i32", "i32"}, "i32"}, -5, 5, 1), 11u);
  EXPECT_EQ(call<uint32_t>({"__nv_byte_perm", {"i32", "i32", "i32"}, "i32"}, 0x03020100, 0x07060504, 0x5746), 0x05070406u);
  EXPECT_EQ(call<double>({"__nv_hiloint2double", {"i32", "i32"}, "f64"}, 0x3ff00000, 0), 1.0);
  EXPECT_EQ(call<int32_t>({"__nv_float_as_int", {"f32"}, "i32"}, 1.0f), 0x3f800000);
  EXPECT_EQ(call<int32_t>({"__nv_ilogbf", {"f32"}, "i32"}, 9.0f), 3);
}

TEST(IrLibdevice, RareFunctionsAgreeWithTheirDefinitions) {
  for (double p : {1e-300, 1e-10, 0.01, 0.5, 1.0, 1.5, 1.99}) {
    double x = call<double>({"__nv_erfcinv", {"f64"}, "f64"}, p);
    EXPECT_NEAR(std::erfc(x) / p, 1, 1e-12) << p;
  }
  EXPECT_NEAR(call<double>({"__nv_normcdfinv", {"f64"}, "f64"}, 0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(call<double>({"__nv_erfcx", {"f64"}, "f64"}, 2.0), 0.25539567631050574, 1e-14);
  EXPECT_NEAR(call<double>({"__nv_erfcx", {"f64"}, "f64"}, 20.0), 0.02817434874105132, 1e-14);
  EXPECT_NEAR(call<double>({"__nv_cyl_bessel_i1", {"f64"}, "f64"}, -1.0), -0.5651591039924851, 1e-14);
  EXPECT_NEAR(call<double>({"__nv_jn", {"i32", "f64"}, "f64"}, 2, 1.0), 0.1149034849319005, 1e-14);
  EXPECT_NEAR(call<float>({"__nv_norm3df", {"f32", "f32", "f32"}, "f32"}, 1.0f, 2.0f, 2.0f), 3, 1e-6);
}

}  // namespace
}  // namespace kbx::ir
