// Nulls that keep fewer digits than their format: seen in float64 and float16, and not asked of what came from coarser inputs.
#include "eval/nulls.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace kbx::eval {
namespace {

Value doubles(size_t n, double factor) {
  Bytes bytes(8 * n);
  for (size_t k = 0; k < n; k++) {
    double v = factor * std::sin(double(k) + 1);
    std::memcpy(bytes.data() + 8 * k, &v, 8);
  }
  return Value::of_tensor(make_tensor(Dtype::f64, {int64_t(n)}, std::move(bytes)));
}

bool named(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

struct Asked {
  Task task;
  Case which;
  TaskTruth truth;

  explicit Asked(Value input) {
    CaseTruth c;
    c.which = &which;
    c.phase = "standard";
    c.call.args.push_back(std::move(input));
    c.roots["result"] = {doubles(64, 1), doubles(64, 1), std::nullopt, std::nullopt, std::nullopt};
    truth.cases.push_back(std::move(c));
  }
};

TEST(Nulls, Float64KeptAsFloat32DoesNotPass) {
  Asked q(doubles(3, 1));
  EXPECT_FALSE(named(passing_nulls(q.task, q.truth), "float64 kept as float32"));
}

TEST(Nulls, ATaskThatAllowsFloat32PrecisionIsToldSo) {
  Asked q(doubles(3, 1));
  q.task.oracle.ulps = 1e9;  // half a spacing of float32 is 2^28 of float64's
  EXPECT_TRUE(named(passing_nulls(q.task, q.truth), "float64 kept as float32"));
}

TEST(Nulls, WhatIsMadeOfFloat32NeedNotBeMoreExact) {
  Asked q(Value::of_tensor(make_tensor(Dtype::f32, {2}, Bytes(8))));
  q.task.oracle.ulps = 1e9;
  EXPECT_FALSE(named(passing_nulls(q.task, q.truth), "float64 kept as float32"));
}

}  // namespace
}  // namespace kbx::eval
