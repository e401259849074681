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

}  // namespace
}  // namespace kbx::ir
