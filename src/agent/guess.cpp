// Within a case: the judge's own words about places and values, and the metrics. Over cases: an argument, dtype or layout
// that all wrong cases have and no right one has.
#include "agent/guess.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "base/text.h"

namespace kbx::agent {
namespace {

struct Outcome {
  const Case* which = nullptr;
  bool outlier = false, right = true;
  const Judgement* worst = nullptr;  // the first wrong one
};

bool is_wrong(const Judgement& j) { return j.verdict != Verdict::correct && j.verdict != Verdict::not_judged; }

const Case* find_case(const Task* task, const std::string& name) {
  if (task == nullptr) return nullptr;
  for (const Case& c : task->cases)
    if (c.name == name) return &c;
  return nullptr;
}

std::vector<Outcome> outcomes_of(const Record& record, const Task* task) {
  std::map<std::pair<std::string, std::string>, Outcome> by_case;
  for (const CaseJudgement& c : record.judgements) {
    Outcome& out = by_case[{c.case_name, c.phase}];
    out.which = find_case(task, c.case_name);
    out.outlier = c.phase == "outlier";
    const Judgement& j = c.judgements.kbx;
    if (is_wrong(j)) out.right = false, out.worst = out.worst ? out.worst : &j;
  }
  std::vector<Outcome> out;
  for (auto& [key, outcome] : by_case) out.push_back(outcome);
  return out;
}

// Does `has` hold for every wrong case and for no right one? Both kinds must be there.
bool separates(const std::vector<Outcome>& outcomes, const std::function<bool(const Case&)>& has) {
  int wrong = 0, right = 0;
  for (const Outcome& o : outcomes) {
    if (!o.which || o.outlier) continue;
    if (o.right == has(*o.which)) return false;
    (o.right ? right : wrong)++;
  }
  return wrong > 0 && right > 0;
}

bool any_tensor(const ArgSpec& arg, const std::function<bool(const TensorSpec&)>& test) {
  if (arg.kind == ArgSpec::Kind::tensor && test(arg.tensor)) return true;
  return std::any_of(arg.items.begin(), arg.items.end(), [&](const ArgSpec& item) { return any_tensor(item, test); });
}
bool any_tensor(const Case& c, const std::function<bool(const TensorSpec&)>& test) {
  return std::any_of(c.args.begin(), c.args.end(), [&](const auto& arg) { return any_tensor(arg.second, test); });
}
int64_t elements(const TensorSpec& t) {
  int64_t n = 1;
  for (int64_t d : t.shape) n *= d;
  return n;
}

std::string text_of(const ArgSpec& a) {
  switch (a.kind) {
    case ArgSpec::Kind::boolean:
      return a.boolean ? "True" : "False";
    case ArgSpec::Kind::integer:
      return std::to_string(a.integer);
    case ArgSpec::Kind::floating:
      return fmt::format("{}", a.floating);
    case ArgSpec::Kind::string:
    case ArgSpec::Kind::dtype:
      return a.text;
    case ArgSpec::Kind::none:
      return "None";
    default:
      return "";
  }
}

bool is_axis(const std::string& name) { return name == "dim" || name == "dims" || name == "axis" || name == "dim0" || name == "dim1"; }

// An optional argument, or one value of any argument, that tells wrong cases from right ones.
std::string argument_guess(const std::vector<Outcome>& outcomes, const Task& task) {
  for (const Parameter& p : task.entry.parameters) {
    bool given = p.default_text && separates(outcomes, [&](const Case& c) { return c.args.contains(p.name); });
    if (given) return fmt::format("the argument `{}` is ignored or wrong where it is given", p.name);
    std::set<std::string> values;
    for (const Outcome& o : outcomes)
      if (o.which)
        if (auto found = o.which->args.find(p.name); found != o.which->args.end()) values.insert(text_of(found->second));
    for (const std::string& value : values) {
      auto is = [&](const Case& c) {
        auto found = c.args.find(p.name);
        return found != c.args.end() && text_of(found->second) == value;
      };
      if (value.empty()) continue;
      if (separates(outcomes, is)) return fmt::format("{}wrong where `{}` is {}", is_axis(p.name) ? "wrong axis? " : "", p.name, value);
      if (separates(outcomes, [&](const Case& c) { return !is(c); }))
        return fmt::format("{}right only where `{}` is {}", is_axis(p.name) ? "wrong axis? " : "an argument is ignored? ", p.name, value);
    }
  }
  return "";
}

std::string tensor_guess(const std::vector<Outcome>& outcomes) {
  if (separates(outcomes, [](const Case& c) { return any_tensor(c, [](const TensorSpec& t) { return t.layout != "contiguous"; }); }))
    return "strides are ignored: wrong where a tensor is not contiguous";
  if (separates(outcomes, [](const Case& c) { return any_tensor(c, [](const TensorSpec& t) { return elements(t) == 0; }); })) return "empty tensors are not handled";
  for (Dtype dtype : {Dtype::f16, Dtype::bf16, Dtype::f32, Dtype::f64, Dtype::i32, Dtype::i64, Dtype::c64})
    if (separates(outcomes, [&](const Case& c) { return any_tensor(c, [&](const TensorSpec& t) { return t.dtype == dtype; }); }))
      return fmt::format("wrong for {} only", torch_name(dtype));
  if (separates(outcomes, [](const Case& c) { return any_tensor(c, [](const TensorSpec& t) { return t.dtype == Dtype::f16 || t.dtype == Dtype::bf16; }); }))
    return "wrong in half precision only: accumulate in float32";
  for (size_t rank : {0u, 1u, 2u, 3u, 4u, 5u})
    if (separates(outcomes, [&](const Case& c) { return any_tensor(c, [&](const TensorSpec& t) { return t.shape.size() == rank; }); }))
      return fmt::format("wrong where a tensor has {} dimension{}", rank, rank == 1 ? "" : "s");
  return "";
}

// Words of judge/hint.cpp about the wrong elements, and the metrics.
std::string pattern_guess(const Judgement& j) {
  struct Word {
    std::string_view in, out;
  };
  constexpr Word kWords[] = {
      {"got is the transpose", "transposed"},
      {"the sign is flipped", "the sign is flipped"},
      {"x expected", "a wrong scale"},
      {"got - expected is", "a constant is added or missing"},
      {"all in the last", "missing mask or tail: only the last elements are wrong"},
      {"the last one", "missing mask or tail: only the last element is wrong"},
      {"all from flat index", "missing mask or tail, or too small a grid: everything behind some index is wrong"},
      {"all in the second half", "too small a grid: the second half is wrong"},
      {"all in the tile", "one tile is wrong: its offsets or its mask"},
      {"all in the first", "the first elements are wrong: a boundary or the start of a loop"},
      {"float32's digits", "precision: float64 is computed in float32"},
      {"got is zero there", "elements are left zero: not stored, or masked by mistake"},
  };
  const Metrics& m = j.metrics;
  if (j.verdict == Verdict::unwritten_output) return "elements are never written: the grid or the mask of the store";
  if (m.nan_got > m.nan_want) return "NaN where none belongs: 0/0, inf - inf, or a load without `other=`";
  if (m.nan_got < m.nan_want) return "NaN of the input is lost: tl.maximum and comparisons drop it";
  if (m.inf_position_mismatches > 0) return "infinities stand at the wrong places: overflow, or inf of the input is not kept";
  for (const Word& word : kWords)
    if (j.explanation.find(word.in) != std::string::npos) return std::string(word.out);
  if (m.mismatches > 0 && m.rel_rmse < 5e-3 && m.count > 1) return "precision: nearly right; accumulate in float32 (float64 for float64), use exact functions";
  return "";
}

}  // namespace

std::string guess_of(const Record& record, const Task* task) {
  std::vector<Outcome> outcomes = outcomes_of(record, task);
  const Judgement* first = nullptr;
  bool standard_wrong = false, outlier_wrong = false;
  for (const Outcome& o : outcomes) {
    if (o.right) continue;
    (o.outlier ? outlier_wrong : standard_wrong) = true;
  }
  // Standard inputs first: a large element more hides the pattern.
  for (bool outlier : {false, true})
    for (const Outcome& o : outcomes)
      if (!o.right && o.outlier == outlier && (!first || (o.worst->verdict == record.verdict && first->verdict != record.verdict))) first = o.worst;
  if (!first) return "";
  std::vector<std::string> parts;
  if (outlier_wrong && !standard_wrong) parts.emplace_back("only very large inputs are wrong: overflow or cancellation (subtract the maximum, sum in float32 or wider)");
  parts.push_back(pattern_guess(*first));
  if (task != nullptr) {
    parts.push_back(argument_guess(outcomes, *task));
    parts.push_back(tensor_guess(outcomes));
  }
  std::string out;
  for (const std::string& part : parts)
    if (!part.empty()) out += (out.empty() ? "" : "; ") + part;
  return out;
}

}  // namespace kbx::agent
