// Faults of a task file: all of them, each at its place, with what to do.
#include "suite/task_toml.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/text.h"

namespace kbx::suite {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kHead = R"T(name = "t"
category = "math"
difficulty = 2
entry = "t(input, dim=0, *, out=None)"
summary = "s"
contract = ["c"]
)T";
constexpr std::string_view kRest = R"([oracle]
kind = "close"
[[case]]
name = "a"
args = { input = { shape = [2], dtype = "f32", dist = "normal" } }
)";

std::vector<std::string> faults(const std::string& text) {
  auto task = parse_task(text, "t.toml");
  return task ? std::vector<std::string>{} : split_lines(task.error().message);
}
std::vector<std::string> with(std::string_view head, std::string_view rest = kRest) {
  return faults(std::string(kHead) + std::string(head) + std::string(rest));
}
std::vector<std::string> oracle(std::string_view lines) {
  return with("", fmt::format("[oracle]\n{}\n[[case]]\nname = \"a\"\nargs = {{ input = 1 }}\n", lines));
}
std::vector<std::string> argument(std::string_view value) {
  return with("", fmt::format("[oracle]\nkind = \"close\"\n[[case]]\nname = \"a\"\nargs = {{ input = {} }}\n", value));
}

TEST(TaskToml, ReadsAWholeTask) {
  auto task = parse_task(std::string(kHead) + R"T(aliases = ["u"]
tf32 = true
mutates = ["out"]
allowed_library_ops = ["empty"]
protocol = "optimizer"
[oracle]
kind = "close"
ulps = 2
magnitude = true
permute = [["input", -1]]
[oracle.at."out"]
kind = "exact"
ties_source = "input"
ties_dim = "dim"
[outlier]
prob = 0.01
scale = 10
args = ["input"]
clamp = [-3, 3.5]
[[case]]
name = "a"
args.dim = [0, 1]
args.input = { shape = [2, 3], dtype = "bf16", dist = "values", values = [1, "nan", "-inf", "max"], requires_grad = true }
outlier = false
calls = 3
raises = "ValueError"
[[perf]]
name = "p"
args = { input = { shape = [64], dtype = "f32", dist = "normal" } }
[cost]
bytes = "2 * nbytes(input)"
flops = "numel(input)"
unit = "f32"
)T",
                         "t.toml");
  ASSERT_TRUE(task) << task.error().message;
  EXPECT_EQ(task->entry.parameters.size(), 4u);
  EXPECT_TRUE(task->tf32);
  EXPECT_EQ(task->protocol, Task::Protocol::optimizer);
  EXPECT_EQ(task->oracle.ulps, 2);
  EXPECT_THAT(task->oracle.permute, ElementsAre(std::pair<std::string, int>("input", -1)));
  EXPECT_EQ(oracle_for(*task, "out").kind, OracleKind::exact);
  EXPECT_EQ(oracle_for(*task, "out").ties_dim, "dim");
  EXPECT_EQ(oracle_for(*task, "result").kind, OracleKind::close);
  EXPECT_EQ(task->outlier.clamp, (std::pair<double, double>(-3, 3.5)));
  const Case& c = task->cases[0];
  EXPECT_FALSE(c.outlier);
  EXPECT_EQ(c.calls, 3);
  EXPECT_EQ(c.raises, "ValueError");
  const TensorSpec& spec = c.args.at("input").tensor;
  EXPECT_EQ(spec.dtype, Dtype::bf16);
  EXPECT_TRUE(std::isnan(spec.values[1]));
  EXPECT_EQ(spec.values[3], 0x1.fep127);
  EXPECT_TRUE(spec.requires_grad);
  EXPECT_EQ(c.args.at("dim").kind, ArgSpec::Kind::list);
  EXPECT_EQ(task->perf.size(), 1u);
  EXPECT_EQ(task->cost.unit, "f32");
}

TEST(TaskToml, ReportsEveryFaultInTheOrderOfTheFile) {
  auto lines = faults(R"T(name = "t"
categry = "math"
difficulty = 9
entry = "t(input)"
summary = 3
[oracle]
kind = "clsoe"
[[case]]
name = "a"
args = { inptu = 1, input = { shape = [2], dtype = "f33", dist = "normal" } }
)T");
  EXPECT_THAT(
      lines,
      ElementsAre(HasSubstr("'category' is missing"), HasSubstr("'contract' is missing"),
                  AllOf(HasSubstr("t.toml:2:1: "), HasSubstr("unknown key 'categry'; did you mean 'category'?")),
                  AllOf(HasSubstr("t.toml:3:1: "), HasSubstr("difficulty: 1 to 5")),
                  AllOf(HasSubstr("t.toml:5:1: "), HasSubstr("'summary' must be a string")),
                  AllOf(HasSubstr("t.toml:7:1: "), HasSubstr("did you mean \"close\"?")),
                  AllOf(HasSubstr("t.toml:10:10: "), HasSubstr("'inptu' is no parameter of t; did you mean 'input'?")),
                  AllOf(HasSubstr("t.toml:10:44: "), HasSubstr("dtype = \"f33\" is not known"))));
}

TEST(TaskToml, TextThatIsNotTomlNamesLineAndColumn) {
  EXPECT_THAT(faults("name = \n"), ElementsAre(HasSubstr("t.toml:1:")));
  EXPECT_THAT(faults("a = 1\na = 2\n"), ElementsAre(HasSubstr("t.toml:2:")));
  EXPECT_THAT(faults("[#"), ElementsAre(HasSubstr("not TOML")));  // toml++ 3.3 asserts here
}

// A whole task whose one case and whose cost have these further lines.
std::string with_lines(const std::string& of_case, const std::string& of_cost) {
  return "name = \"t\"\ncategory = \"math\"\ndifficulty = 1\nentry = \"t(x, p=0.5)\"\nsummary = \"s\"\ncontract = []\n"
         "[oracle]\nkind = \"statistical\"\nform = \"dropout\"\np = \"p\"\n[cost]\nbytes = \"1\"\nflops = \"1\"\nunit = \"f32\"\n" +
         of_cost + "\n[[case]]\nname = \"a\"\nargs = { x = 1 }\n" + of_case;
}

TEST(TaskToml, ACaseMayBringItsOwnOracle) {
  auto task = parse_task(with_lines("[case.oracle]\nkind = \"close\"\nmagnitude = true\nrandom = true\n[[case]]\nname = \"b\"\nargs = { x = 2 }", ""), "t.toml");
  ASSERT_TRUE(task) << task.error().message;
  ASSERT_TRUE(task->cases[0].oracle);
  EXPECT_EQ(task->cases[0].oracle->kind, OracleKind::close);
  EXPECT_TRUE(task->cases[0].oracle->random);
  EXPECT_FALSE(task->cases[1].oracle);
  EXPECT_EQ(task->oracle.kind, OracleKind::statistical);
  EXPECT_THAT(faults(with_lines("oracle = { kind = \"close\", form = \"dropout\" }", "")), ElementsAre(HasSubstr("case 'a': oracle: 'form' does not belong to kind = \"close\"")));
  EXPECT_THAT(faults(with_lines("oracle = \"close\"", "")), ElementsAre(HasSubstr("'oracle' must be a table")));
}

TEST(TaskToml, LeastFlopsIsAShare) {
  auto task = parse_task(with_lines("", "least_flops = 0.25"), "t.toml");
  ASSERT_TRUE(task) << task.error().message;
  EXPECT_EQ(task->cost.least_flops, 0.25);
  EXPECT_THAT(faults(with_lines("", "least_flops = 2")), ElementsAre(HasSubstr("least_flops: a share, between 0 and 1")));
}

TEST(TaskToml, OracleKeysMustBelongToTheKind) {
  EXPECT_THAT(oracle("kind = \"exact\"\nulps = 2"),
              ElementsAre(HasSubstr("'ulps' does not belong to kind = \"exact\"")));
  EXPECT_THAT(oracle("kind = \"close\"\nulp = 2"), ElementsAre(HasSubstr("did you mean 'ulps'?")));
  EXPECT_THAT(oracle("kind = \"close\"\nulps = -2"), ElementsAre(HasSubstr("must not be negative")));
  EXPECT_THAT(oracle("kind = \"factorization\""), ElementsAre(HasSubstr("'form' is missing")));
  EXPECT_THAT(oracle("kind = \"statistical\"\nform = \"qr\""),
              ElementsAre(HasSubstr("does not go with kind \"statistical\"")));
  EXPECT_THAT(oracle("kind = \"close\"\npermute = [[\"x\", 0]]"),
              ElementsAre(HasSubstr("permute: 'x' is no parameter")));
  EXPECT_THAT(oracle("kind = \"statistical\"\nform = \"dropout\"\np = \"q\""),
              ElementsAre(HasSubstr("p: 'q' is no parameter")));
  EXPECT_THAT(oracle("kind = \"close\"\n[oracle.at.\"out\"]\nkind = \"exact\""),
              ElementsAre(HasSubstr("a path starts with")));
  EXPECT_THAT(oracle("kind = \"quantized\"\npaper = { cosin = 1 }"), ElementsAre(HasSubstr("did you mean 'cosine'?")));
}

TEST(TaskToml, TensorsAreCheckedAgainstTheirDistribution) {
  auto tensor = [](std::string_view rest) {
    return argument(fmt::format("{{ shape = [4, 4], dtype = \"f32\", {} }}", rest));
  };
  EXPECT_THAT(tensor("dist = \"normal\", sdt = 2"), ElementsAre(HasSubstr("unknown key 'sdt'; did you mean 'std'?")));
  EXPECT_THAT(tensor("dist = \"normal\", low = 2"), ElementsAre(HasSubstr("unknown key 'low'")));
  EXPECT_THAT(tensor("dist = \"randint\", low = 2"), ElementsAre(HasSubstr("dist randint needs 'high'")));
  EXPECT_THAT(tensor("dist = \"uniform\", low = 2, high = 1"), ElementsAre(HasSubstr("low must be below high")));
  EXPECT_THAT(tensor("dist = \"normal\", layout = \"transposed(0,2)\""), ElementsAre(HasSubstr("no dim 2")));
  EXPECT_THAT(tensor("dist = \"normal\", layout = \"blocked\""),
              ElementsAre(HasSubstr("is not known; one of: contiguous")));
  EXPECT_THAT(tensor("dist = \"normal\", layout = \"channels_last\""), ElementsAre(HasSubstr("needs 4 dims")));
  EXPECT_THAT(tensor("dist = \"values\", values = [\"huge\"]"), ElementsAre(HasSubstr("\"huge\" is no value of f32")));
  EXPECT_THAT(tensor("dist = \"values\""), ElementsAre(HasSubstr("needs values")));
  EXPECT_THAT(tensor("dist = \"probabilities\", dim = 2"), ElementsAre(HasSubstr("no dim 2")));
  EXPECT_THAT(argument(R"({ shape = [3, 4], dtype = "f32", dist = "spd" })"), ElementsAre(HasSubstr("square")));
  EXPECT_THAT(argument(R"({ shape = [3, 3], dtype = "i32", dist = "spd" })"),
              ElementsAre(HasSubstr("floating or complex")));
  EXPECT_THAT(argument(R"({ shape = [-3], dtype = "i32", dist = "normal" })"), ElementsAre(HasSubstr("negative")));
  EXPECT_THAT(argument(R"({ shape = [3], dtype = "i8", dist = "randint", low = 0, high = 300 })"),
              ElementsAre(HasSubstr("does not fit i8")));
  EXPECT_THAT(argument(R"({ shape = [3], dist = "normal" })"), ElementsAre(HasSubstr("'dtype' is missing")));
}

TEST(TaskToml, SpecialValuesAreCheckedToo) {
  EXPECT_THAT(argument("{ torch_dtype = \"float33\" }"), ElementsAre(HasSubstr("no dtype of torch")));
  EXPECT_THAT(argument("{ nnone = true }"), ElementsAre(HasSubstr("did you mean 'none'?")));
  EXPECT_THAT(argument("{ none = true, device = true }"), ElementsAre(HasSubstr("stands alone")));
  EXPECT_THAT(argument("{ copy_of = \"outt\" }"), ElementsAre(HasSubstr("no such argument")));
  EXPECT_THAT(argument("{ none = false }"), ElementsAre(HasSubstr("write none = true")));
  EXPECT_THAT(argument("1979-05-27"), ElementsAre(HasSubstr("a date is no argument")));
}

TEST(TaskToml, CasesMustFitTheSignature) {
  auto cases = [](std::string_view text) { return with("", fmt::format("[oracle]\nkind = \"close\"\n{}", text)); };
  EXPECT_THAT(cases("[[case]]\nname = \"a\"\nargs = { dim = 1 }\n"),
              ElementsAre(HasSubstr("argument 'input' is missing")));
  EXPECT_THAT(cases("[[case]]\nname = \"a\"\nargs = { input = 1 }\n[[case]]\nname = \"a\"\nargs = { input = 1 }\n"),
              ElementsAre(HasSubstr("case 'a' twice")));
  EXPECT_THAT(cases("[[case]]\nname = \"a\"\nargs = { input = 1 }\ncalls = 0\n"),
              ElementsAre(HasSubstr("calls: 1 to 1000")));
  EXPECT_THAT(cases("[case]\nname = \"a\"\n"), ElementsAre(HasSubstr("write [[case]]"), HasSubstr("at least one")));
  EXPECT_THAT(cases(""), ElementsAre(HasSubstr("'case' is missing")));
}

TEST(TaskToml, NamesElsewhereMustBeParameters) {
  EXPECT_THAT(with("mutates = [\"inptu\"]\n"),
              ElementsAre(HasSubstr("mutates: 'inptu' is no parameter of t; did you mean 'input'?")));
  EXPECT_THAT(with("", std::string(kRest) + "[outlier]\nargs = [\"x\"]\n"),
              ElementsAre(HasSubstr("[outlier] args: 'x'")));
  EXPECT_THAT(with("", std::string(kRest) + "[cost]\nbytes = \"numel(inp)\"\nflops = \"1 +\"\nunit = \"f32\"\n"),
              ElementsAre(HasSubstr("[cost] bytes: 'inp' is no parameter"),
                          HasSubstr("[cost] flops: column 4: an operand is missing")));
  EXPECT_THAT(
      with("", std::string(kRest) + "[outlier]\nprob = 2\nscale = 0\nclamp = [2, 1]\n"),
      ElementsAre(HasSubstr("prob: between"), HasSubstr("scale: greater"), HasSubstr("low must be below high")));
  EXPECT_THAT(with("allowed_library_ops = [\"aten::empty\"]\n"), ElementsAre(HasSubstr("bare operator name")));
}

TEST(TaskToml, CategoryMustBeSnakeCase) {
  std::string text = std::string(kHead) + std::string(kRest);
  text.replace(text.find("\"math\""), 6, "\"LinearAlgebra\"");
  EXPECT_THAT(faults(text), ElementsAre(HasSubstr("write it in snake_case: \"linear_algebra\"")));
}

}  // namespace
}  // namespace kbx::suite
