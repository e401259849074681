// Every stored case: real kernels through Triton's front end, values against torch's, with all checks on and nothing to
// find.
#include <cmath>
#include <filesystem>

#include "base/json.h"
#include "fixture.h"
#include "ir/small_float.h"

namespace kbx::ir {
namespace {

std::vector<uint8_t> from_hex(const std::string& text) {
  std::vector<uint8_t> bytes;
  for (size_t k = 0; k + 1 < text.size(); k += 2)
    bytes.push_back(static_cast<uint8_t>(std::stoi(text.substr(k, 2), nullptr, 16)));
  return bytes;
}

struct Element {
  uint32_t bytes;
  double (*read)(const uint8_t*);
};
template <class T>
double plain(const uint8_t* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return static_cast<double>(v);
}
template <Kind K>
double small(const uint8_t* p) {
  float f;
  unpack_floats(K, p, &f, 1);
  return f;
}
Element element(const std::string& dtype) {
  if (dtype == "f32") return {4, plain<float>};
  if (dtype == "f64") return {8, plain<double>};
  if (dtype == "f16") return {2, small<Kind::f16>};
  if (dtype == "bf16") return {2, small<Kind::bf16>};
  if (dtype == "e4m3") return {1, small<Kind::e4m3>};
  if (dtype == "e5m2") return {1, small<Kind::e5m2>};
  if (dtype == "u8") return {1, plain<uint8_t>};
  if (dtype == "i8") return {1, plain<int8_t>};
  if (dtype == "i32") return {4, plain<int32_t>};
  return {8, plain<int64_t>};
}

struct Tensor {
  std::vector<uint8_t> bytes, expect;
  Element of;
  double tolerance = 0;
};

// Both NaN is equal; else |got - want| <= t (1 + |want|).
void compare(const Tensor& t, const std::string& name) {
  for (size_t k = 0; k < t.expect.size(); k += t.of.bytes) {
    double got = t.of.read(&t.bytes[k]), want = t.of.read(&t.expect[k]);
    if (std::isnan(got) && std::isnan(want)) continue;
    if (got == want || std::fabs(got - want) <= t.tolerance * (1 + std::fabs(want))) continue;
    ADD_FAILURE() << name << ": element " << k / t.of.bytes << " is " << got << ", torch says " << want;
    return;
  }
}

struct Way {
  int threads;
  Order order;
  bool checked;
};

void run_case(const std::string& name, const Way& way) {
  Program program = compile_fixture(name);
  auto text = read_file(fixture_path(name + ".json"));
  ASSERT_TRUE(text);
  auto json = parse_json(*text);
  ASSERT_TRUE(json);
  LaunchSpec spec;
  for (size_t k = 0; k < 3; k++) spec.grid[k] = get(*json, "grid")[k].get<int>();
  std::vector<Tensor> tensors(get(*json, "arguments").size());
  size_t at = 0;
  for (const Json& a : get(*json, "arguments")) {
    Tensor& t = tensors[at++];
    spec.argument_ranges.push_back(-1);
    if (!a.contains("dtype")) {
      double d = a["number"].is_number_float() ? a["number"].get<double>() : 0;
      uint64_t bits;
      std::memcpy(&bits, &d, sizeof bits);
      Kind kind = program.argument_kind(spec.arguments.size());
      if (a["number"].is_boolean())
        bits = a["number"].get<bool>();
      else if (!is_float(kind))
        bits = static_cast<uint64_t>(a["number"].get<int64_t>());
      spec.arguments.push_back(bits);
      continue;
    }
    t.of = element(a["dtype"].get<std::string>());
    t.bytes = from_hex(a["bytes"].get<std::string>());
    if (a.contains("expect")) t.expect = from_hex(a["expect"].get<std::string>());
    if (a.contains("tolerance")) t.tolerance = a["tolerance"].get<double>();
    spec.argument_ranges.back() = static_cast<int32_t>(spec.ranges.size());
    spec.arguments.push_back(reinterpret_cast<uint64_t>(t.bytes.data()));
    spec.ranges.push_back({t.bytes.data(), t.bytes.size(), nullptr, t.of.bytes, 0});
  }
  spec.threads = way.threads;
  spec.order = way.order;
  spec.order_seed = 7;
  if (way.checked) spec.checks = {true, true, true, true, false};
  auto report = launch(program, spec);
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_TRUE(report->completed);
  EXPECT_EQ(found(*report), "");
  for (const Tensor& t : tensors) compare(t, name);
}

class IrCase : public testing::TestWithParam<std::string> {};

TEST_P(IrCase, GivesTorchsValues) { run_case(GetParam(), {1, Order::forward, false}); }
TEST_P(IrCase, GivesThemWithAllChecksAndNothingIsFound) { run_case(GetParam(), {1, Order::forward, true}); }
TEST_P(IrCase, GivesThemOnTwoThreadsBackwards) { run_case(GetParam(), {2, Order::reverse, true}); }
TEST_P(IrCase, GivesThemShuffled) { run_case(GetParam(), {1, Order::shuffled, false}); }

std::vector<std::string> all_cases() {
  std::vector<std::string> names;
  for (const auto& e : std::filesystem::directory_iterator(fixture_path("")))
    if (e.path().extension() == ".json") names.push_back(e.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}
INSTANTIATE_TEST_SUITE_P(All, IrCase, testing::ValuesIn(all_cases()), [](const auto& p) { return p.param; });

TEST(IrCases, CoverTheFamiliesOfOperations) { EXPECT_GE(all_cases().size(), 40u); }

}  // namespace
}  // namespace kbx::ir
