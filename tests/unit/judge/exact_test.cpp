// Oracles exact and set, structure, untouched inputs, poison.
#include <gtest/gtest.h>

#include "judge/poison.h"
#include "judge/view.h"
#include "tensors.h"

namespace kbx::judge {
namespace {

Asked exact(Dtype dtype, const std::vector<double>& got, const std::vector<double>& eager) {
  Asked q;
  q.oracle().kind = OracleKind::exact;
  auto n = int64_t(got.size());
  q.got = value(dtype, {n}, got);
  q.eager = value(dtype, {n}, eager);
  return q;
}

TEST(Exact, IntegersAreComparedAsIntegersBeyondDoubles) {
  Asked q = exact(Dtype::i64, {0, 0}, {0, 0});
  q.eager = Value::of_tensor(make_tensor(Dtype::i64, {2}, bytes_of<int64_t>({1, (int64_t(1) << 60)})));
  q.got = Value::of_tensor(make_tensor(Dtype::i64, {2}, bytes_of<int64_t>({1, (int64_t(1) << 60) + 1})));
  Judgement j = q.kbx();
  EXPECT_EQ(j.verdict, Verdict::wrong_value);
  EXPECT_EQ(j.metrics.mismatches, 1);
  EXPECT_EQ(j.index, (std::vector<int64_t>{1}));
}

TEST(Exact, OneUlpFailsNanEqualsNanAndZeroesAreEqual) {
  EXPECT_EQ(exact(Dtype::f32, {1}, {1 + 0x1p-23}).kbx().verdict, Verdict::wrong_value);
  EXPECT_EQ(exact(Dtype::f32, {kNan, kInf}, {kNan, kInf}).kbx().verdict, Verdict::correct);
  EXPECT_EQ(exact(Dtype::f32, {-kInf}, {kInf}).kbx().verdict, Verdict::wrong_value);
  Asked zero = exact(Dtype::f32, {-0.0}, {0.0});
  EXPECT_EQ(zero.kbx().verdict, Verdict::correct);
  zero.oracle().signed_zero = true;
  EXPECT_EQ(zero.kbx().verdict, Verdict::wrong_value);
}

TEST(Exact, NanOfAnotherPayloadIsStillNan) {
  Asked q = exact(Dtype::f32, {1}, {1});
  q.eager = Value::of_tensor(make_tensor(Dtype::f32, {1}, bytes_of<uint32_t>({0x7fc00000})));
  q.got = Value::of_tensor(make_tensor(Dtype::f32, {1}, bytes_of<uint32_t>({0xffc00001})));
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
}

Asked argmax_of(std::optional<int64_t> dim) {
  Asked q = exact(Dtype::i64, {}, {});
  q.oracle().ties_source = "input";
  q.oracle().ties_dim = "dim";
  q.parameter("input", value(Dtype::f32, {2, 3}, {5, 5, 1, kNan, 2, kNan}));
  q.parameter("dim", dim ? Value::of_int(*dim) : Value{});
  return q;
}

TEST(Exact, TiesMaySelectAnyEqualValue) {
  Asked q = argmax_of(-1);
  q.eager = value(Dtype::i64, {2}, {0, 0});
  q.got = value(Dtype::i64, {2}, {1, 2});
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  EXPECT_EQ(q.paper().verdict, Verdict::wrong_value);
  EXPECT_EQ(q.kbx().error_share, 0);  // another right answer is no error
  q.got = value(Dtype::i64, {2}, {2, 0});
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
  EXPECT_FALSE(q.kbx().error_share);
  q.got = value(Dtype::i64, {2}, {0, 5});  // out of range
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
  q.got = value(Dtype::i64, {2}, {-3, 0});
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
}

TEST(Exact, TiesAlongAnOuterDimensionAndFlattened) {
  Asked q = argmax_of(0);
  q.eager = value(Dtype::i64, {1, 3}, {1, 0, 1});
  q.got = value(Dtype::i64, {1, 3}, {1, 0, 1});
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  q.got = value(Dtype::i64, {1, 3}, {0, 0, 1});
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
  Asked flat = argmax_of(std::nullopt);
  flat.eager = value(Dtype::i64, {}, {3});
  flat.got = value(Dtype::i64, {}, {5});
  EXPECT_EQ(flat.kbx().verdict, Verdict::correct);
  flat.got = value(Dtype::i64, {}, {0});
  EXPECT_EQ(flat.kbx().verdict, Verdict::wrong_value);
}

TEST(Exact, WithinAllowsOneStepOnlyAtARoundingBorder) {
  Asked q = exact(Dtype::i8, {4, 5, 3}, {5, 5, 3});
  q.oracle().within = 1;
  q.truth = value(Dtype::f64, {3}, {4.9999986, 5.2, 3.0});
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  q.truth = value(Dtype::f64, {3}, {4.9, 5.2, 3.0});
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
  q.got = value(Dtype::i8, {3}, {3, 5, 3});
  q.truth = value(Dtype::f64, {3}, {4.9999986, 5.2, 3.0});
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
  q.got = value(Dtype::i8, {3}, {4, 5, 3});
  q.truth = value(Dtype::i8, {3}, {4, 5, 3});  // the float64 reference rounded that way
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
}

TEST(Set, OrderMattersUnlessTheTaskSaysOtherwise) {
  Asked q;
  q.oracle().kind = OracleKind::set;
  q.eager = q.got = value(Dtype::f16, {4}, {3, 1, kNan, 2});
  q.truth = value(Dtype::f64, {4}, {3, 1, kNan, 2});
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  q.got = value(Dtype::f16, {4}, {kNan, 1, 2, 3});
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
  q.oracle().ordered = false;
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  q.got = value(Dtype::f16, {4}, {kNan, 1, 2, 2});
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
}

TEST(Set, AnotherSizeIsAWrongStructure) {
  Asked q;
  q.oracle().kind = OracleKind::set;
  q.eager = value(Dtype::f32, {3}, {1, 2, 3});
  q.got = value(Dtype::f32, {2}, {1, 2});
  auto both = judge_result(q.evidence());
  ASSERT_EQ(both.size(), 1u);
  EXPECT_EQ(both[0].kbx.verdict, Verdict::wrong_structure);
  EXPECT_EQ(both[0].kbx.explanation, "result has shape [2], expected [3]");
  EXPECT_EQ(both[0].paper.verdict, Verdict::wrong_structure);
}

TEST(Structure, SaysWhatDiffers) {
  Value f = value(Dtype::f32, {2}, {1, 2}), h = value(Dtype::f16, {2}, {1, 2}), two = tuple_of({f, h});
  auto text = [](const Value& got, const Value& want) {
    auto j = check_structure("result", got, want);
    return j ? j->explanation : "";
  };
  EXPECT_EQ(text(f, f), "");
  EXPECT_EQ(text(h, f), "result has dtype float16, expected float32");
  EXPECT_EQ(text(two, f), "result is (f32[2], f16[2]), expected f32[2]");
  EXPECT_EQ(text(tuple_of({f, f}), two), "result[1] has dtype float32, expected float16");
  EXPECT_EQ(text(tuple_of({f}), two), "result has 1 elements, expected 2");
  EXPECT_EQ(text(Value{}, f), "result is None, expected f32[2]");
  EXPECT_EQ(text(Value::of_float(1), value(Dtype::f32, {}, {1})), "result is float, expected f32[]");
  Value object;
  object.kind = ValueKind::object;
  object.text = "LyingTensor";
  EXPECT_EQ(text(object, f), "result is a LyingTensor, expected f32[2]");
  EXPECT_EQ(text(object, object), "result is a LyingTensor, expected LyingTensor");
}

TEST(Structure, ListsServeForTuples) {
  Value f = value(Dtype::f32, {1}, {1}), list = tuple_of({f, f});
  list.kind = ValueKind::list;
  EXPECT_FALSE(check_structure("result", list, tuple_of({f, f})));
}

TEST(Unchanged, OneChangedBitIsFoundAndNaNsAreBits) {
  Value before = tuple_of({value(Dtype::f32, {2, 2}, {1, kNan, 3, 4})}), after = before;
  EXPECT_FALSE(check_unchanged("params", before, after));
  after = tuple_of({value(Dtype::f32, {2, 2}, {1, kNan, 3.5, 4})});
  auto j = check_unchanged("params", before, after);
  ASSERT_TRUE(j);
  EXPECT_EQ(j->verdict, Verdict::mutated_input);
  EXPECT_EQ(j->explanation, "the input params[0][1, 0] was changed from 3 to 3.5");
  EXPECT_TRUE(check_unchanged("x", value(Dtype::f32, {1}, {0.0}), value(Dtype::f32, {1}, {-0.0})));
}

TEST(Poison, UnwrittenElementsAreToldFromWrongOnes) {
  Asked q;
  q.eager = value(Dtype::f32, {4}, {1, 2, 3, 4});
  q.truth = value(Dtype::f64, {4}, {1, 2, 3, 4});
  q.got = Value::of_tensor(
      make_tensor(Dtype::f32, {4}, bytes_of<uint32_t>({0x3f800000, 0x40000000, 0x7fffffff, 0x7fffffff})));
  Judgement j = q.kbx();
  EXPECT_EQ(j.verdict, Verdict::unwritten_output);
  EXPECT_EQ(j.index, (std::vector<int64_t>{2}));
  EXPECT_EQ(j.explanation,
            "result[2]: never written; 2 of 4 elements still hold what the memory held before the call, all in the "
            "second half");
}

TEST(Poison, APoisonPatternThatIsRightIsNoPoison) {
  Asked q;
  q.eager = value(Dtype::f32, {1}, {kNan});
  q.truth = value(Dtype::f64, {1}, {kNan});
  q.got = Value::of_tensor(make_tensor(Dtype::f32, {1}, bytes_of<uint32_t>({0x7fffffff})));  // a GPU's own NaN
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
}

TEST(Poison, PatternsByDtype) {
  auto is = [](Dtype dtype, auto bits) {
    return is_poison(View(make_tensor(dtype, {1}, bytes_of<decltype(bits)>({bits}))), 0);
  };
  EXPECT_TRUE(is(Dtype::f16, uint16_t(0x7fff)));
  EXPECT_FALSE(is(Dtype::f16, uint16_t(0x7e00)));
  EXPECT_TRUE(is(Dtype::bf16, uint16_t(0x7fff)));
  EXPECT_TRUE(is(Dtype::f64, uint64_t(0x7fffffffffffffff)));
  EXPECT_TRUE(is(Dtype::i32, uint32_t(0x7b7b7b7b)));
  EXPECT_FALSE(is(Dtype::i32, uint32_t(0x7b7b7b7c)));
  EXPECT_FALSE(is(Dtype::i8, uint8_t(0x7b)));
  EXPECT_TRUE(is(Dtype::c64, uint64_t(0x7fffffff7fffffff)));
}

TEST(Judge, LeavesAreJudgedByTheirOwnOracle) {
  Asked q;
  q.task.oracle_at["result[1]"].kind = OracleKind::exact;
  q.eager = tuple_of({value(Dtype::f32, {1}, {1}), value(Dtype::f32, {1}, {1})});
  q.truth = tuple_of({value(Dtype::f64, {1}, {1}), value(Dtype::f64, {1}, {1})});
  q.got = tuple_of({value(Dtype::f32, {1}, {1 + 1e-6}), value(Dtype::f32, {1}, {1 + 1e-6})});
  auto both = judge_result(q.evidence());
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0].kbx.path, "result[0]");
  EXPECT_EQ(both[0].kbx.verdict, Verdict::correct);
  EXPECT_EQ(both[1].kbx.path, "result[1]");
  EXPECT_EQ(both[1].kbx.verdict, Verdict::wrong_value);
  EXPECT_EQ(both[1].paper.verdict, Verdict::correct);
}

TEST(Judge, NoneAndEmptyTuplesAreRightByStructure) {
  Asked q;
  auto both = judge_result(q.evidence());
  ASSERT_EQ(both.size(), 1u);
  EXPECT_EQ(both[0].kbx.verdict, Verdict::correct);
  q.got = q.eager = tuple_of({});
  EXPECT_EQ(judge_result(q.evidence()).size(), 1u);
}

}  // namespace
}  // namespace kbx::judge
