// Every published signature can be written as a task, parsed, made into a call and bound.
#include "signature_rows.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "base/files.h"
#include "base/text.h"
#include "suite/binding.h"
#include "suite/inputs.h"
#include "suite/signature.h"
#include "suite/task_toml.h"

namespace kbx::suite {
namespace {

const std::string kTensor = R"({ shape = [2, 3], dtype = "f32", dist = "normal" })";

std::string special(const std::string& name) {
  static const std::map<std::string, std::string> kByName{
      {"tensors", fmt::format("{{ list = [{0}, {0}] }}", kTensor)},
      {"params", R"({ list = [{ shape = [3], dtype = "f32", dist = "normal", requires_grad = true }] })"},
      {"out", R"({ shape = [2, 3], dtype = "f32", dist = "poison" })"},
      {"out_tensor", R"({ copy_of = "input_tensor" })"},
      {"dtype", R"({ torch_dtype = "float32" })"},
      {"device", "{ device = true }"},
      {"generator", "{ generator = 7 }"},
      {"index", R"({ shape = [2], dtype = "i64", dist = "class_index", classes = 2 })"},
      {"target",
       R"({ shape = [2], dtype = "i64", dist = "class_index", classes = 3, ignore = -100, ignore_prob = 0.1 })"},
      {"mask", R"({ shape = [2, 3], dtype = "bool", dist = "bernoulli", p = 0.3 })"},
      {"A", R"({ shape = [3, 3], dtype = "c64", dist = "spd", cond = 100 })"},
      {"size", "[3, 4]"},
      {"dims", "[1, 0]"},
      {"target_sizes", "{ tuple = [2, -1] }"},
      {"dim", "-1"},
      {"n", "2"},
      {"k", "2"},
      {"steps", "5"},
      {"step", "3"},
      {"num_groups", "1"},
      {"kernel_size", "2"},
      {"start", "0.0"},
      {"end", "1.0"},
      {"alpha", "0.5"},
      {"beta", "2.0"},
      {"value", "1.5"},
      {"divisor", "{ none = true }"},
      {"reduction", "\"sum\""},
      {"rounding_mode", "\"floor\""},
      {"norm", "\"ortho\""},
      {"stride", "2"},
      {"scale_factor", "2.0"},
      {"align_corners", "true"},
      {"output_size", "[2, 2]"},
      {"s", "[2, 2]"},
      {"repeats", "2"}};
  auto it = kByName.find(name);
  return it == kByName.end() ? "" : it->second;
}

std::string value_text(const Parameter& p) {
  if (std::string text = special(p.name); !text.empty()) return text;
  Value v = literal_value(p.default_text.value_or("None"));
  switch (v.kind) {
    case ValueKind::boolean:
      return v.boolean ? "false" : "true";
    case ValueKind::integer:
      return std::to_string(v.integer + 1);
    case ValueKind::floating:
      return fmt::format("{:.6f}", v.floating / 2 + 0.25);
    case ValueKind::string:
      return "\"" + v.text + "\"";
    case ValueKind::tuple:
      return "{ tuple = [0.8, 0.9] }";
    default:
      return kTensor;
  }
}

std::string args_text(const Signature& s, bool everything) {
  std::string out;
  for (const Parameter& p : s.parameters) {
    bool unsayable =
        p.default_text && literal_value(*p.default_text).kind == ValueKind::object;  // layout=torch.strided
    if (unsayable || (!everything && p.default_text)) continue;
    std::string text = value_text(p);
    if (p.name == "out_tensor" && !find_parameter(s, "input_tensor")) text = kTensor;
    out += fmt::format("{}{} = {}", out.empty() ? " " : ", ", p.name, text);
  }
  return "{" + out + " }";
}

std::string oracle_text(std::string_view kind) {
  if (starts_with(kind, "factorization")) return "kind = \"factorization\"\nform = \"qr\"";
  if (starts_with(kind, "statistical")) return "kind = \"statistical\"\nform = \"dropout\"";
  for (const char* known : {"exact", "quantized", "set"})
    if (starts_with(kind, known)) return fmt::format("kind = \"{}\"", known);
  return "kind = \"close\"";
}

void expect_expressible(const std::string& name, std::string_view signature, std::string_view kind) {
  auto task = parse_task(task_text(name, signature, kind), name + ".toml");
  ASSERT_TRUE(task) << task.error().message;
  for (const Case& c : task->cases) {
    auto call = make_call(*task, c, Phase::standard, 1);
    ASSERT_TRUE(call) << call.error().message;
    auto bound = bind(task->entry, *call);
    ASSERT_TRUE(bound) << signature << ": " << bound.error().message;
    for (const Bound& b : *bound) {
      const Parameter* p = find_parameter(task->entry, b.name);
      bool said = c.args.count(b.name) > 0;
      EXPECT_EQ(b.given, said) << signature << ", " << b.name;
      if (c.name == "everything")
        EXPECT_TRUE(said || literal_value(*p->default_text).kind == ValueKind::object) << b.name;
    }
  }
}

// Rows of a table of the shared data; empty when it is not there.
std::vector<std::vector<std::string>> rows(const char* file) {
  const char* shared = std::getenv("KBX_SHARED");
  std::filesystem::path path =
      std::filesystem::path(shared ? shared : std::string(KBX_SOURCE_DIR) + "/../shared") / "data" / file;
  std::vector<std::vector<std::string>> out;
  auto text = read_file(path);
  if (!text) return out;
  for (const std::string& line : split_lines(*text))
    if (!line.empty()) out.push_back(split(line, '\t'));
  if (!out.empty()) out.erase(out.begin());
  return out;
}

void expect_table(const char* file, size_t least) {
  auto all = rows(file);
  if (all.empty())
    GTEST_SKIP() << "SKIPPED: " << file << " is not there; set KBX_SHARED to the folder that holds data/" << file;
  EXPECT_GE(all.size(), least);
  for (const auto& row : all) {
    SCOPED_TRACE(row[2]);
    expect_expressible(row[1], row[2], row[7]);
  }
}

TEST(SignatureRows, RepresentativeOnesAreExpressible) {
  for (std::string_view s : kRepresentative) {
    SCOPED_TRACE(std::string(s));
    expect_expressible("task", s, "close");
  }
}
TEST(SignatureRows, EveryPublishedOneIsExpressible) { expect_table("suite.tsv", 168); }
TEST(SignatureRows, EveryExtraOneIsExpressible) { expect_table("suite_extra.tsv", 8); }

}  // namespace

std::string task_text(const std::string& name, std::string_view signature, std::string_view kind) {
  auto s = parse_signature(signature);
  if (!s) return s.error().message;
  return fmt::format(
      "name = \"{}\"\ncategory = \"math\"\ndifficulty = 1\nentry = '''{}'''\nsummary = \"s\"\ncontract = "
      "[\"c\"]\n[oracle]\n{}\n"
      "[[case]]\nname = \"least\"\nargs = {}\n[[case]]\nname = \"everything\"\nargs = {}\n",
      name, signature, oracle_text(kind), args_text(*s, false), args_text(*s, true));
}

}  // namespace kbx::suite
