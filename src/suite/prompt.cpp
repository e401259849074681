// Sections in a fixed order; a section without content is left out.
#include "suite/prompt.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <set>
#include <vector>

#include "suite/names.h"
#include "suite/signature.h"

namespace kbx::suite {
namespace {

class Text {
 public:
  void section(std::string_view title, const std::vector<std::string>& points) {
    if (points.empty()) return;
    out_ += fmt::format("\n## {}\n", title);
    for (const std::string& point : points) out_ += fmt::format("- {}\n", point);
  }
  void plain(std::string_view text) { out_ += text; }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

// Floating dtypes of the cases say which numerics lines are to the point; nothing else of the cases is shown.
bool uses(const ArgSpec& arg, Dtype dtype) {
  if (arg.kind == ArgSpec::Kind::tensor && arg.tensor.dtype == dtype) return true;
  for (const ArgSpec& item : arg.items)
    if (uses(item, dtype)) return true;
  return false;
}
bool uses(const Task& task, Dtype dtype) {
  for (const Case& c : task.cases)
    for (const auto& [name, arg] : c.args)
      if (uses(arg, dtype)) return true;
  return false;
}

std::vector<std::string> numerics(const Task& task) {
  std::vector<std::string> out;
  if (uses(task, Dtype::f32) || uses(task, Dtype::c64))
    out.push_back(task.tf32 ? "float32 dot products may round their inputs to TF32 (`input_precision=\"tf32\"` is "
                              "fine); accumulate in float32."
                            : "float32 stays float32: no TF32. In Triton, give `tl.dot` on float32 operands "
                              "`input_precision=\"ieee\"`.");
  if (uses(task, Dtype::f16) || uses(task, Dtype::bf16))
    out.emplace_back("Half precisions: accumulate sums and dot products in float32 and round once, at the end.");
  if (uses(task, Dtype::f64))
    out.emplace_back("float64 arguments are computed in float64. A Python float that a Triton kernel is given arrives there as float32: "
                     "let it be `tl.constexpr`, or read it from a float64 tensor.");
  if (!task.forbidden_library_ops.empty())
    out.push_back(fmt::format("These operators are the task itself and may not run: {}.", fmt::join(task.forbidden_library_ops, ", ")));
  if (task.quantized)
    out.emplace_back(
        "The quantization described above must really be carried out: a result nearer to the unquantized one than the "
        "scheme allows is refused.");
  return out;
}

std::string judged_by(const Oracle& oracle) {
  switch (oracle.kind) {
    case OracleKind::close:
      return "values are compared with the same computation in float64, within rounding error; NaN and infinity must "
             "stand at the same places";
    case OracleKind::exact:
      return oracle.ties_source.empty()
                 ? "values must be exactly equal"
                 : "indices must select exactly the right value; among equal values any may be chosen";
    case OracleKind::quantized:
      return "cosine, relative L1 and relative RMS error against the float result must lie within bounds, and the "
             "result must follow the quantization scheme";
    case OracleKind::factorization:
      return "the mathematical properties of the result are checked (reconstruction, structure, residuals), not its "
             "individual values";
    case OracleKind::statistical:
      return "random results are checked statistically (support, moments, independence, a new draw on every call); the "
             "rest by value";
    case OracleKind::set:
      return fmt::format("the number of elements must be right, then their values{}",
                         oracle.ordered ? ", in order" : ", in any order");
  }
  return "";
}

std::vector<std::string> judged(const Task& task) {
  std::vector<std::string> out;
  out.push_back(fmt::format("Result: {}.", judged_by(task.oracle)));
  for (const auto& [path, oracle] : task.oracle_at) out.push_back(fmt::format("`{}`: {}.", path, judged_by(oracle)));
  out.emplace_back(
      "Shapes, dtypes and devices of everything that is returned, and the structure (tensor, tuple, ...), must be "
      "those of PyTorch's eager result.");
  if (task.mutates.empty())
    out.emplace_back("Arguments must not be changed.");
  else
    out.push_back(fmt::format("Changed in place, and judged afterwards: `{}`. No other argument may change.",
                              fmt::join(task.mutates, "`, `")));
  out.emplace_back(
      "Inputs include odd sizes, tensors that are not contiguous, and every parameter at more than one value" +
      std::string(task.outlier.enabled ? "; then everything again with a few very large elements mixed in." : "."));
  out.emplace_back(
      "Then speed: the time of your kernels on the device against PyTorch's eager mode, at several sizes.");
  return out;
}

std::vector<std::string> rules(const Task& task) {
  std::vector<std::string> out{
      "The work is done by your own kernels: at least one `@triton.jit` function, launched from the entry point.",
      "The file may import torch, triton, math and typing.",
  };
  out.push_back(task.allowed_library_ops.empty() ? "No PyTorch operator may run outside your kernels except allocation."
                                                 : fmt::format("Outside your kernels only these PyTorch operators may "
                                                               "run: {}. Reading shapes, strides and dtypes is free.",
                                                               fmt::join(task.allowed_library_ops, ", ")));
  if (task.quantized)
    out.emplace_back(
        "No ready-made quantization: not torch.ao, torch.quantize_*, torch.ops quantized operators or packages made "
        "for it.");
  out.emplace_back(
      "No torch.compile, no inline CUDA or other native code, no files, processes or network, no exec, no changing of "
      "torch, triton or built-in functions.");
  out.emplace_back("Results may not be kept from one call to the next.");
  return out;
}

std::string entry_text(const Task& task) {
  std::string text = fmt::format("\n```python\ndef {}:\n    ...\n```\n", task.entry.text);
  if (task.protocol == Task::Protocol::optimizer)
    text += "It returns an object with a method `step()` that updates the parameters from their `.grad`.\n";
  return text;
}

}  // namespace

PromptParts prompt_parts(const Task& task) {
  PromptParts parts;
  parts.title = fmt::format("{} ({})", task.name, display_name(task.category));
  parts.signature = task.entry.text;
  parts.entry = entry_text(task).substr(1);
  parts.numerics = numerics(task);
  parts.judged = judged(task);
  parts.rules = rules(task);
  for (int k = 0; k <= int(Dtype::c128); k++)
    if (uses(task, Dtype(k))) parts.dtypes.emplace_back(torch_name(Dtype(k)));
  return parts;
}

std::string prompt(const Task& task) {
  PromptParts parts = prompt_parts(task);
  Text text;
  text.plain(fmt::format("# {}\n\nWrite a fast, correct GPU implementation in Triton of the following function.\n", parts.title));
  text.plain("\n" + parts.entry);
  text.plain(fmt::format("\n{}\n", task.summary));
  text.section("Contract", task.contract);
  text.section("Numerics", parts.numerics);
  text.section("How it is judged", parts.judged);
  parts.rules[1] = "Reply with one complete Python file in one fenced code block, imports included. It may import torch, triton, math and typing.";
  text.section("Rules", parts.rules);
  return text.take();
}

}  // namespace kbx::suite
