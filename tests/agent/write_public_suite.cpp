// write_public_suite SUITE OUT TASK...: public variants (suite/public_variant.h) as a suite folder that `kbx eval --suite`
// takes. What a case's text would not give back (its own oracle) stays out: such cases are left out and counted.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/files.h"
#include "base/text.h"
#include "suite/public_variant.h"
#include "suite/suite.h"

namespace kbx::suite {
namespace {

std::string number(double v) {
  if (std::isnan(v)) return "\"nan\"";
  if (std::isinf(v)) return v < 0 ? "\"-inf\"" : "\"inf\"";
  if (v == 0 && std::signbit(v)) return "\"-0.0\"";
  std::string text = fmt::format("{}", v);
  if (text.find_first_of(".e") == text.npos) text += ".0";
  return text;
}

std::string toml(const ArgSpec& a);

std::string list(const std::vector<ArgSpec>& items) {
  std::vector<std::string> parts;
  for (const ArgSpec& item : items) parts.push_back(toml(item));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string toml(const TensorSpec& t) {
  std::string out = fmt::format("{{ shape = [{}], dtype = \"{}\", dist = \"{}\", layout = \"{}\"", fmt::join(t.shape, ", "), to_text(t.dtype), t.dist, t.layout);
  for (const auto& [name, value] : t.params) out += fmt::format(", {} = {}", name, value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value) : number(value));
  if (t.dist == "values") {
    std::vector<std::string> values;
    for (double v : t.values) values.push_back(is_integer(t.dtype) ? fmt::format("{:.0f}", v) : number(v));
    out += fmt::format(", values = [{}]", fmt::join(values, ", "));
  }
  return out + (t.requires_grad ? ", requires_grad = true }" : " }");
}

std::string toml(const ArgSpec& a) {
  switch (a.kind) {
    case ArgSpec::Kind::none: return "{ none = true }";
    case ArgSpec::Kind::boolean: return a.boolean ? "true" : "false";
    case ArgSpec::Kind::integer: return std::to_string(a.integer);
    case ArgSpec::Kind::floating: return a.floating == 0 && std::signbit(a.floating) ? "-0.0" : std::isfinite(a.floating) ? number(a.floating) : std::isnan(a.floating) ? "nan" : a.floating < 0 ? "-inf" : "inf";
    case ArgSpec::Kind::string: return fmt::format("\"{}\"", a.text);
    case ArgSpec::Kind::dtype: return fmt::format("{{ torch_dtype = \"{}\" }}", torch_name(*dtype_from_text(a.text)));
    case ArgSpec::Kind::device: return "{ device = true }";
    case ArgSpec::Kind::generator: return fmt::format("{{ generator = {} }}", a.integer);
    case ArgSpec::Kind::list: return "{ list = " + list(a.items) + " }";
    case ArgSpec::Kind::tuple: return "{ tuple = " + list(a.items) + " }";
    case ArgSpec::Kind::copy_of: return fmt::format("{{ copy_of = \"{}\" }}", a.text);
    case ArgSpec::Kind::tensor: return toml(a.tensor);
  }
  return "";
}

std::string toml(const Case& c, bool perf) {
  std::string out = fmt::format("[[{}]]\nname = \"{}\"\n", perf ? "perf" : "case", c.name);
  std::vector<std::string> args;
  for (const auto& [name, arg] : c.args) args.push_back(fmt::format("{} = {}", name, toml(arg)));
  out += fmt::format("args = {{ {} }}\n", fmt::join(args, ", "));
  if (perf) return out;
  if (!c.outlier) out += "outlier = false\n";
  if (c.calls != 1) out += fmt::format("calls = {}\n", c.calls);
  if (!c.published) out += "published = false\n";
  if (!c.raises.empty()) out += fmt::format("raises = \"{}\"\n", c.raises);
  return out;
}

// The text of a task without its cases: every [[case]] and [[perf]] with what belongs to it.
std::string without_cases(const std::string& text) {
  std::string out;
  bool drop = false;
  for (const std::string& line : split_lines(text)) {
    if (starts_with(line, "[")) drop = starts_with(line, "[[case]]") || starts_with(line, "[[perf]]") || starts_with(line, "[case.");
    if (!drop) out += line + "\n";
  }
  return out;
}

Result<void> write(const Task& task, const std::filesystem::path& out) {
  PublicCounts counts;
  Task v = public_variant(task, &counts);
  KBX_TRY_ASSIGN(std::string text, read_file(std::filesystem::path(task.folder) / "task.toml"));
  text = without_cases(text);
  int left_out = 0;
  for (const Case& c : v.cases) c.oracle ? void(left_out++) : void(text += toml(c, false));
  for (const Case& c : v.perf) text += toml(c, true);
  std::filesystem::path folder = out / task.category / task.name;
  std::filesystem::create_directories(folder);
  KBX_TRY(write_file(folder / "task.toml", text));
  KBX_TRY(write_file(folder / "reference.py", task.reference));
  KBX_TRY(write_file(folder / "witness.py", task.witness));
  KBX_TRY(write_file(folder / "mutants.py", task.mutants));
  fmt::print("{} reshaped {} redrawn {} left_out {}\n", task.name, counts.reshaped, counts.redrawn, counts.left_out + left_out);
  return {};
}

int run(int argc, char** argv) {
  if (argc < 3) return fmt::print(stderr, "usage: write_public_suite SUITE OUT [TASK...]\n"), 2;
  auto suite = load_suite(argv[1]);
  if (!suite) return fmt::print(stderr, "{}\n", suite.error().text()), 2;
  std::vector<std::string> names(argv + 3, argv + argc);
  for (const Task& task : suite->tasks) {
    if (!names.empty() && std::find(names.begin(), names.end(), task.name) == names.end()) continue;
    if (auto ok = write(task, argv[2]); !ok) return fmt::print(stderr, "{}: {}\n", task.name, ok.error().text()), 3;
  }
  return 0;
}

}  // namespace
}  // namespace kbx::suite

int main(int argc, char** argv) { return kbx::suite::run(argc, argv); }
