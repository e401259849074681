// What a human is told.
#include <gtest/gtest.h>

#include "judge/explain.h"
#include "judge/hint.h"
#include "tensors.h"

namespace kbx::judge {
namespace {

std::vector<uint8_t> wrong_where(int64_t rows, int64_t columns, const std::function<bool(int64_t, int64_t)>& f) {
  std::vector<uint8_t> mask;
  for (int64_t r = 0; r < rows; r++)
    for (int64_t c = 0; c < columns; c++) mask.push_back(f(r, c));
  return mask;
}
std::string place(int64_t rows, int64_t columns, const std::function<bool(int64_t, int64_t)>& f) {
  return place_hint({rows, columns}, wrong_where(rows, columns, f));
}

TEST(Hint, Places) {
  EXPECT_EQ(place(7, 1023, [](auto, auto c) { return c == 1022; }), "all in the last column");
  EXPECT_EQ(place(64, 64, [](auto r, auto) { return r == 63; }), "all in the last row");
  EXPECT_EQ(place(64, 64, [](auto r, auto) { return r == 0; }), "all in the first row");
  EXPECT_EQ(place(64, 64, [](auto r, auto) { return r >= 61; }), "all in the last 3 rows");
  EXPECT_EQ(place(64, 64, [](auto, auto c) { return c == 5; }), "all in column 5");
  EXPECT_EQ(place(64, 64, [](auto r, auto) { return r >= 32; }), "all in the second half");
  EXPECT_EQ(place(64, 64, [](auto r, auto c) { return r >= 16 && r < 32 && c >= 32 && c < 48; }),
            "all in the tile [16:32, 32:48]");
  EXPECT_EQ(place(8, 8, [](auto, auto) { return true; }), "every element");
  EXPECT_EQ(place(64, 64, [](auto r, auto c) { return (r * 31 + c * 17) % 5 == 0; }), "");
  EXPECT_EQ(place_hint({100000}, wrong_where(1, 100000, [](auto, auto c) { return c >= 30000; })),
            "all from flat index 30000 on");
  EXPECT_EQ(place_hint({100}, wrong_where(1, 100, [](auto, auto c) { return c == 99; })), "the last one");
  EXPECT_EQ(place(8, 8, [](auto, auto) { return false; }), "");
}

std::string values(const std::vector<double>& got, const std::vector<double>& want, std::vector<int64_t> shape) {
  View g(tensor(Dtype::f64, shape, got)), w(tensor(Dtype::f64, shape, want));
  std::vector<uint8_t> wrong;
  for (size_t k = 0; k < got.size(); k++) wrong.push_back(got[k] != want[k]);
  return value_hint(g, w, wrong);
}

TEST(Hint, Values) {
  EXPECT_EQ(values({0, 0, 0}, {1, 2, 3}, {3}), "got is zero there");
  EXPECT_EQ(values({-1, -2, 3}, {1, 2, 3}, {3}), "the sign is flipped");
  EXPECT_EQ(values({2, 4, 6}, {1, 2, 3}, {3}), "got is 2 x expected");
  EXPECT_EQ(values({1.5, 2.5, 3.5}, {1, 2, 3}, {3}), "got - expected is 0.5");
  EXPECT_EQ(values({1, 4, 2, 5, 3, 6}, {1, 2, 3, 4, 5, 6}, {2, 3}), "got is the transpose");
  EXPECT_EQ(values({9, 1, 7}, {1, 2, 3}, {3}), "");
  EXPECT_EQ(values({kNan, kNan}, {1, 2}, {2}), "");
}

TEST(Explain, NamesIndexValuesBoundAndPattern) {
  std::vector<double> truth(7 * 1023), got;
  for (size_t k = 0; k < truth.size(); k++) truth[k] = 0.000973 * (1 + 0.1 * double(k % 10));
  got = rounded_f32(truth);
  for (size_t row = 0; row < 7; row++) got[row * 1023 + 1022] = 0;
  Asked q;
  q.truth = value(Dtype::f64, {7, 1023}, truth);
  q.eager = value(Dtype::f32, {7, 1023}, truth);
  q.got = value(Dtype::f32, {7, 1023}, got);
  Judgement j = q.kbx();
  EXPECT_EQ(j.metric, "abs");
  EXPECT_EQ(j.metrics.mismatches, 7);
  EXPECT_EQ(j.got, 0);
  ASSERT_EQ(j.index.size(), 2u);
  EXPECT_EQ(j.index[1], 1022);
  EXPECT_NE(j.explanation.find("result[" + std::to_string(j.index[0]) + ", 1022]: expected 0.00"), std::string::npos)
      << j.explanation;
  EXPECT_NE(j.explanation.find(", got 0; |error| 0.00"), std::string::npos) << j.explanation;
  EXPECT_NE(j.explanation.find(
                "(published tolerance 1e-05); 7 of 7161 elements differ, all in the last column; got is zero there"),
            std::string::npos)
      << j.explanation;
}

TEST(Explain, NanInfAndIntegers) {
  Asked q;
  q.truth = value(Dtype::f64, {2}, {1, 2});
  q.eager = value(Dtype::f32, {2}, {1, 2});
  q.got = value(Dtype::f32, {2}, {1, kNan});
  EXPECT_EQ(q.kbx().explanation,
            "result[1]: expected 2, got nan; NaN where a number is expected; 1 of 2 elements differ");
  EXPECT_EQ(q.kbx().metric, "nan");
  q.got = value(Dtype::f32, {2}, {1, -kInf});
  EXPECT_EQ(q.kbx().explanation,
            "result[1]: expected 2, got -inf; Inf where a finite number is expected; 1 of 2 elements differ");
  q.got = value(Dtype::i32, {2}, {1, 3});
  q.eager = value(Dtype::i32, {2}, {1, 2});
  q.oracle().kind = OracleKind::exact;
  EXPECT_EQ(q.kbx().explanation,
            "result[1]: expected 2, got 3; off by 1 where it must be exact; 1 of 2 elements differ");
}

TEST(Explain, Numbers) {
  EXPECT_EQ(number_text(0.000973), "0.000973");
  EXPECT_EQ(number_text(1234567), "1234567");
  EXPECT_EQ(number_text(-kInf), "-inf");
  EXPECT_EQ(number_text(kNan), "nan");
  EXPECT_EQ(element_text(View(tensor_c64({1}, {{1, -2}})), 0), "1-2i");
  EXPECT_EQ(element_text(View(tensor(Dtype::boolean, {1}, {1})), 0), "true");
}

}  // namespace
}  // namespace kbx::judge
