// The bytes of every distribution, as SHA-256: the same on every machine, compiler and number of threads.
// golden_inputs.txt holds them. A change of the generator changes all recorded runs: it needs a new stream name
// ("kbx inputs 2"), and the file this test writes into the build folder as the new golden file.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"
#include "suite/dists.h"
#include "suite/inputs.h"
#include "suite/signature.h"

namespace kbx::suite {
namespace {

std::string hash_of(TensorSpec spec, Phase phase) {
  Task task;
  task.name = "golden";
  task.entry = *parse_signature("golden(input)");
  task.outlier.args = {"input"};
  task.outlier.prob = 0.01;
  Case c;
  c.name = "case";
  c.args["input"].kind = ArgSpec::Kind::tensor;
  c.args["input"].tensor = std::move(spec);
  auto call = make_call(task, c, phase, 20260131);
  if (!call) return call.error().message;
  const Bytes& bytes = *call->args[0].tensor.storage;
  return sha256_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// Parameters that have no default.
std::map<std::string, double> needed(Dist dist) {
  switch (dist) {
    case Dist::randint:
      return {{"low", 0}, {"high", 100}};
    case Dist::constant:
      return {{"value", 2.5}};
    case Dist::linspace:
      return {{"low", -1}, {"high", 3}};
    case Dist::class_index:
      return {{"classes", 10}, {"ignore", 99}, {"ignore_prob", 0.1}};
    case Dist::low_rank:
      return {{"rank", 4}};
    default:
      return {};
  }
}

std::string all_hashes() {
  std::string out;
  for (const DistInfo& info : dists())
    for (Dtype dtype : {Dtype::f32, Dtype::f64, Dtype::f16, Dtype::bf16, Dtype::f8e4m3, Dtype::f8e5m2, Dtype::c64,
                        Dtype::c128, Dtype::i8, Dtype::i64, Dtype::u8, Dtype::boolean}) {
      TensorSpec spec{
          .shape = {3, 40, 40}, .dtype = dtype, .dist = std::string(info.name), .params = needed(info.dist)};
      if (info.dist == Dist::values) spec.values = {1, -2.5, 3};
      if (!check_tensor(spec).empty()) continue;  // no such combination
      out += fmt::format("{} {} {}\n", info.name, to_text(dtype), hash_of(spec, Phase::standard));
    }
  for (const char* layout : {"transposed(0,2)", "strided(3)", "expanded(1)", "offset(1)"})
    out +=
        fmt::format("normal:{} f32 {}\n", layout, hash_of({.shape = {3, 40, 40}, .layout = layout}, Phase::standard));
  for (Dtype dtype : {Dtype::f32, Dtype::f64, Dtype::c64, Dtype::i8})
    out += fmt::format("outlier_phase {} {}\n", to_text(dtype),
                       hash_of({.shape = {3, 40, 40}, .dtype = dtype}, Phase::outlier));
  out += fmt::format("spd:300 f32 {}\n", hash_of({.shape = {300, 300}, .dist = "spd"}, Phase::standard));
  return out;
}

TEST(GoldenInputs, BytesAreTheRecordedOnes) {
  std::string now = all_hashes();
  ASSERT_TRUE(write_file(std::string(KBX_BINARY_DIR) + "/golden_inputs.txt", now));
  auto golden = read_file(std::string(KBX_SOURCE_DIR) + "/tests/unit/suite/golden_inputs.txt");
  ASSERT_TRUE(golden) << golden.error().message;
  auto lines = split_lines(now), wanted = split_lines(*golden);
  ASSERT_EQ(lines.size(), wanted.size());
  for (size_t k = 0; k < lines.size(); k++) EXPECT_EQ(lines[k], wanted[k]);
}

}  // namespace
}  // namespace kbx::suite
