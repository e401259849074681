// Signature text -> Signature, and binding a call to it.
#include "suite/signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/binding.h"

namespace kbx::suite {
namespace {

using testing::HasSubstr;

std::string error_of(std::string_view text) {
  auto s = parse_signature(text);
  return s ? "parsed" : s.error().message;
}

TEST(Signature, ReadsNamesAnnotationsDefaultsAndReturn) {
  auto s = parse_signature("softmax(input: Tensor, dim: int, dtype: torch.dtype | None = None) -> Tensor");
  ASSERT_TRUE(s) << s.error().message;
  EXPECT_EQ(s->name, "softmax");
  EXPECT_EQ(s->returns, "Tensor");
  ASSERT_EQ(s->parameters.size(), 3u);
  EXPECT_EQ(s->parameters[0].annotation, "Tensor");
  EXPECT_FALSE(s->parameters[1].default_text);
  EXPECT_EQ(s->parameters[2].annotation, "torch.dtype | None");
  EXPECT_EQ(s->parameters[2].default_text, "None");
}

TEST(Signature, CommasInsideBracketsAndStringsSplitNothing) {
  auto s = parse_signature("f(a: tuple[int, int] = (1, 2), b='x,)', c: Callable[[int], str] = lambda x: {1: 2}[x])");
  ASSERT_TRUE(s) << s.error().message;
  ASSERT_EQ(s->parameters.size(), 3u);
  EXPECT_EQ(s->parameters[0].default_text, "(1, 2)");
  EXPECT_EQ(s->parameters[1].default_text, "'x,)'");
  EXPECT_EQ(s->parameters[2].annotation, "Callable[[int], str]");
}

TEST(Signature, KnowsPositionalVariadicAndKeywordParameters) {
  using K = Parameter::Kind;
  auto s = parse_signature("rand(first, *size: int, generator=None, out=None)");
  ASSERT_TRUE(s) << s.error().message;
  EXPECT_EQ(s->parameters[0].kind, K::positional);
  EXPECT_EQ(s->parameters[1].kind, K::variadic);
  EXPECT_EQ(s->parameters[1].annotation, "int");
  EXPECT_EQ(s->parameters[3].kind, K::keyword);
  auto bare = parse_signature("def f(a, /, b, *, c, d=1,):");
  ASSERT_TRUE(bare) << bare.error().message;
  EXPECT_EQ(bare->parameters[1].kind, K::positional);
  EXPECT_EQ(bare->parameters[2].kind, K::keyword);
  EXPECT_EQ(bare->parameters[3].default_text, "1");
}

TEST(Signature, AcceptsNoParameters) {
  auto s = parse_signature("  f()  ");
  ASSERT_TRUE(s) << s.error().message;
  EXPECT_TRUE(s->parameters.empty());
}

TEST(Signature, ErrorsNameTheColumnAndTheCause) {
  EXPECT_THAT(error_of("f"), HasSubstr("'(' is missing"));
  EXPECT_THAT(error_of("f(a"), HasSubstr("')' is missing"));
  EXPECT_THAT(error_of("f(a, a)"), HasSubstr("column 6: parameter 'a' twice"));
  EXPECT_THAT(error_of("f(a=1, b)"), HasSubstr("'b' without a default"));
  EXPECT_THAT(error_of("f(a,,b)"), HasSubstr("column 5: a parameter is missing"));
  EXPECT_THAT(error_of("f(**kw)"), HasSubstr("**kwargs"));
  EXPECT_THAT(error_of("f(*, *a)"), HasSubstr("second '*'"));
  EXPECT_THAT(error_of("f(a, *)"), HasSubstr("no keyword follows"));
  EXPECT_THAT(error_of("f(a=)"), HasSubstr("a default is missing"));
  EXPECT_THAT(error_of("f(a:)"), HasSubstr("annotation is missing"));
  EXPECT_THAT(error_of("f(1a)"), HasSubstr("not a parameter name"));
  EXPECT_THAT(error_of("f(a=[1)"), HasSubstr("closes nothing"));
  EXPECT_THAT(error_of("f(a='x)"), HasSubstr("does not end"));
  EXPECT_THAT(error_of("f(a) Tensor"), HasSubstr("expected '-> TYPE'"));
  EXPECT_THAT(error_of("(a)"), HasSubstr("not a function name"));
}

TEST(Binding, GivesEveryParameterItsValueOrDefault) {
  auto s = *parse_signature("f(a, b=2, *c, d=(0.9, 1), e='none', g=torch.strided)");
  Call call;
  call.args = {Value::of_int(1), Value::of_int(5), Value::of_int(6), Value::of_int(7)};
  call.kwargs = {{"e", Value::of_string("tanh")}};
  auto bound = bind(s, call);
  ASSERT_TRUE(bound) << bound.error().message;
  EXPECT_EQ((*bound)[1].value.integer, 5);
  EXPECT_EQ((*bound)[2].value.items.size(), 2u);
  EXPECT_EQ(describe((*bound)[3].value), "(float, int)");
  EXPECT_FALSE((*bound)[3].given);
  EXPECT_EQ(find_argument(*bound, "e")->text, "tanh");
  EXPECT_EQ(find_argument(*bound, "g")->kind, ValueKind::object);
  EXPECT_EQ(find_argument(*bound, "nothing"), nullptr);
}

TEST(Binding, RefusesWhatPythonRefuses) {
  auto s = *parse_signature("f(a, *, b=1)");
  auto error = [&](Call call) {
    auto b = bind(s, call);
    return b ? "bound" : b.error().message;
  };
  EXPECT_THAT(error({}), HasSubstr("misses argument 'a'"));
  EXPECT_THAT(error({{Value{}, Value{}}, {}}), HasSubstr("takes 1 positional arguments but 2"));
  EXPECT_THAT(error({{Value{}}, {{"a", Value{}}}}), HasSubstr("'a' twice"));
  EXPECT_THAT(error({{Value{}}, {{"z", Value{}}}}), HasSubstr("no keyword 'z'"));
}

TEST(PythonLiteral, ReadsScalarsAndSequencesAndNothingElse) {
  EXPECT_EQ(literal_value("None").kind, ValueKind::none);
  EXPECT_TRUE(literal_value("True").boolean);
  EXPECT_EQ(literal_value("-100").integer, -100);
  EXPECT_EQ(literal_value("1_000").integer, 1000);
  EXPECT_DOUBLE_EQ(literal_value("1e-05").floating, 1e-5);
  EXPECT_DOUBLE_EQ(literal_value("-.5").floating, -0.5);
  EXPECT_EQ(literal_value("'mean'").text, "mean");
  EXPECT_EQ(describe(literal_value("(1, [2.0, 'a'],)")), "(int, [float, str])");
  EXPECT_EQ(literal_value("(1)").kind, ValueKind::integer);
  EXPECT_EQ(literal_value("()").kind, ValueKind::tuple);
  for (const char* text : {"torch.strided", "1 + 2", "[1", "1 2", "'a", "-", "", "Nonesuch", "1x"})
    EXPECT_EQ(literal_value(text).kind, ValueKind::object) << text;
}

}  // namespace
}  // namespace kbx::suite
