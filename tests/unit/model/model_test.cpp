// model: enum tables, values, dense copies.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "model/dtype.h"
#include "model/finding.h"
#include "model/value.h"
#include "model/verdict.h"

namespace kbx {

TEST(Verdicts, TextAndBack) {
  for (size_t k = 0; k < kVerdictCount; k++) {
    EXPECT_EQ(verdict_from_text(to_text(Verdict(k))), Verdict(k));
    EXPECT_FALSE(meaning(Verdict(k)).empty());
  }
  EXPECT_FALSE(verdict_from_text("wrong"));
}

TEST(Verdicts, EachHasARowInTheDocs) {
  std::ifstream in(std::string(KBX_SOURCE_DIR) + "/docs/verdicts.md");
  std::stringstream text;
  text << in.rdbuf();
  for (size_t k = 0; k < kVerdictCount; k++) EXPECT_NE(text.str().find("| `" + std::string(to_text(Verdict(k))) + "` |"), std::string::npos) << to_text(Verdict(k));
}

TEST(Verdicts, OnlyThreeAreNoFailures) {
  for (size_t k = 0; k < kVerdictCount; k++) {
    auto v = Verdict(k);
    EXPECT_EQ(is_failure(v), v != Verdict::harness_error && v != Verdict::not_judged && v != Verdict::correct);
  }
}

TEST(Dtypes, TorchNamesAreUnderstood) {
  EXPECT_EQ(dtype_from_text("torch.bfloat16"), Dtype::bf16);
  EXPECT_EQ(dtype_from_text("half"), Dtype::f16);
  EXPECT_EQ(dtype_from_text("i64"), Dtype::i64);
  EXPECT_FALSE(dtype_from_text("float"
                               "y"));
  EXPECT_EQ(size_of(Dtype::c128), 16u);
  EXPECT_EQ(epsilon_of(Dtype::f16), 0x1p-10);
}

TEST(Values, DenseFollowsStridesAndOffset) {
  std::vector<int32_t> storage{0, 1, 2, 3, 4, 5, 6, 7};
  Bytes bytes(storage.size() * 4);
  std::memcpy(bytes.data(), storage.data(), bytes.size());
  Tensor t = make_tensor(Dtype::i32, {8}, std::move(bytes));
  t.shape = {2, 3};
  t.stride = {1, 2};  // a transposed view that starts at element 1
  t.offset = 1;
  Tensor d = t.dense();
  std::vector<int32_t> got(6);
  std::memcpy(got.data(), d.data(), 24);
  EXPECT_EQ(got, (std::vector<int32_t>{1, 3, 5, 2, 4, 6}));
  EXPECT_TRUE(d.contiguous());
  EXPECT_FALSE(t.contiguous());
}

TEST(Values, ExpandedDimensionRepeats) {
  Bytes bytes(8);
  float pair[2] = {1, 2};
  std::memcpy(bytes.data(), pair, 8);
  Tensor t = make_tensor(Dtype::f32, {2}, std::move(bytes));
  t.shape = {3, 2};
  t.stride = {0, 1};
  Tensor d = t.dense();
  float got[6];
  std::memcpy(got, d.data(), 24);
  EXPECT_EQ(got[4], 1);
  EXPECT_EQ(got[5], 2);
}

TEST(Values, DescribeSaysShapeAndNesting) {
  Value v;
  v.kind = ValueKind::tuple;
  v.items = {Value::of_tensor(make_tensor(Dtype::f32, {0, 3}, {})), Value::of_int(3)};
  EXPECT_EQ(describe(v), "(f32[0, 3], int)");
}

}  // namespace kbx
