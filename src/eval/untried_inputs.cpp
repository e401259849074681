// Layouts are read off the calls, where memory and strides are at hand; NaN and infinities off the description of the
// cases, which says what a distribution puts in.
#include "eval/untried_inputs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "model/dtype.h"

namespace kbx::eval {
namespace {

// What the cases show of one parameter.
struct Shown {
  bool elements = false, matrix = false;  // more than one element; in two dimensions or more, not always symmetric
  bool last = false, order = false;
};

// Does the memory, read row by row from the tensor's start, hold other elements than the tensor?
bool misread_shows(const Tensor& t) {
  Tensor dense = t.dense();
  size_t width = size_of(t.dtype), from = size_t(t.offset) * width, bytes = size_t(t.numel()) * width;
  if (!t.storage || from + bytes > t.storage->size()) return true;  // an expanded tensor: the read leaves its memory
  return std::memcmp(dense.data(), t.data() + from, bytes) != 0;
}

bool symmetric(const Tensor& t) {
  size_t n = t.shape.size();
  if (t.shape[n - 1] != t.shape[n - 2]) return false;
  Tensor turned = t;
  turned.stride = t.strides();
  std::swap(turned.stride[n - 1], turned.stride[n - 2]);
  Tensor a = t.dense(), b = turned.dense();
  return a.numel() == 0 || std::memcmp(a.data(), b.data(), size_t(a.numel()) * size_of(a.dtype)) == 0;
}

void look(const Tensor& t, bool written, Shown& shown) {
  size_t n = t.shape.size();
  if (n == 0 || t.numel() < 2) return;
  shown.elements = true;
  shown.matrix |= std::count_if(t.shape.begin(), t.shape.end(), [](int64_t d) { return d > 1; }) > 1 && !symmetric(t);
  std::vector<int64_t> has = t.strides(), plain = row_major(t.shape);
  bool gaps = t.shape[n - 1] > 1 && has[n - 1] != 1, order = false;
  for (size_t k = 0; k + 1 < n; k++) order |= t.shape[k] > 1 && has[k] != plain[k] * has[n - 1];
  if (!gaps && !order) return;
  if (!written && !misread_shows(t)) return;
  shown.last |= gaps;
  shown.order |= order;
}

std::map<std::string, Shown> layouts(const TaskTruth& truth) {
  std::map<std::string, Shown> out;
  for (const CaseTruth& c : truth.cases) {
    if (c.phase != "standard" || !c.which->raises.empty()) continue;
    auto visit = [&](const std::string& name, const Value& value) {
      for (const TensorRef& ref : tensors_of(value, name)) look(*ref.tensor, c.roots.count(name) > 0, out[name]);
    };
    for (size_t k = 0; k < c.call.args.size(); k++) visit(c.names[k], c.call.args[k]);
    for (const auto& [name, value] : c.call.kwargs) visit(name, value);
  }
  return out;
}

struct Specials {
  bool floats = false, nan = false, infinity = false;
};

void look(const ArgSpec& a, Specials& seen) {
  for (const ArgSpec& item : a.items) look(item, seen);
  if (a.kind != ArgSpec::Kind::tensor || !(is_floating(a.tensor.dtype) || is_complex(a.tensor.dtype))) return;
  const TensorSpec& t = a.tensor;
  bool edge = t.dist == "edge";
  seen.floats |= t.dist != "poison";
  auto any = [&](auto&& is) {
    auto value = t.params.find("value");
    return edge || std::any_of(t.values.begin(), t.values.end(), is) || (value != t.params.end() && is(value->second));
  };
  seen.nan |= any([](double v) { return std::isnan(v); });
  seen.infinity |= any([](double v) { return std::isinf(v); });
}

// Dtypes of the results, and of those results that lie in an argument which the call writes.
struct Written {
  std::set<Dtype> results;
  std::map<std::string, std::set<Dtype>> into;
};

Written written(const TaskTruth& truth) {
  Written out;
  for (const CaseTruth& c : truth.cases) {
    auto result = c.roots.find("result");
    if (c.phase != "standard" || !c.which->raises.empty() || result == c.roots.end()) continue;
    std::map<std::string, Dtype> leaves;
    for (const TensorRef& ref : tensors_of(result->second.eager, "result")) {
      leaves[ref.path] = ref.tensor->dtype;
      out.results.insert(ref.tensor->dtype);
    }
    for (const std::string& line : c.aliases) {  // "result[0] aliases out[0]"
      size_t word = line.find(" aliases ");
      if (word == std::string::npos) continue;
      std::string name = line.substr(word + 9);
      name = name.substr(0, name.find('['));
      auto leaf = leaves.find(line.substr(0, word));
      if (leaf != leaves.end() && c.roots.count(name) > 0) out.into[name].insert(leaf->second);
    }
  }
  return out;
}

bool says(const Task& task, const std::string& words) {
  return std::any_of(task.contract.begin(), task.contract.end(), [&](const std::string& line) { return line.find(words) != std::string::npos; });
}

// Pairs of parameters with a default that no case gives together, where both are given somewhere and both matter.
std::vector<std::string> lonely_pairs(const Task& task) {
  std::vector<std::string> names, out;
  for (const Parameter& p : task.entry.parameters) {
    bool written = std::find(task.mutates.begin(), task.mutates.end(), p.name) != task.mutates.end();
    if (p.default_text && !written && !says(task, p.name + ": has no effect")) names.push_back(p.name);
  }
  auto given = [&](const std::string& a, const std::string& b) {
    return std::any_of(task.cases.begin(), task.cases.end(), [&](const Case& c) { return c.raises.empty() && c.args.count(a) > 0 && c.args.count(b) > 0; });
  };
  for (size_t k = 0; k < names.size(); k++)
    for (size_t m = k + 1; m < names.size(); m++) {
      const std::string pair = names[k] + " and " + names[m];
      if (given(names[k], names[k]) && given(names[m], names[m]) && !given(names[k], names[m]) && !says(task, pair + " do not occur together"))
        out.push_back(pair + " are never given together");
    }
  return out;
}

}  // namespace

std::vector<std::string> untried_inputs(const Task& task, const TaskTruth& truth) {
  std::vector<std::string> out;
  for (const auto& [name, shown] : layouts(truth)) {
    if (shown.elements && !shown.last) out.push_back(name + " never has a stride along its last dimension");
    if (shown.matrix && !shown.order) out.push_back(name + " never has its dimensions in another order");
  }
  Written w = written(truth);
  for (const auto& [name, dtypes] : w.into) {
    auto half = [](const std::set<Dtype>& d) { return d.count(Dtype::f16) + d.count(Dtype::bf16) > 0; };
    if (half(w.results) && !half(dtypes)) out.push_back("no result of half precision is written into " + name);
    if (w.results.count(Dtype::f64) > 0 && dtypes.count(Dtype::f64) == 0) out.push_back("no float64 result is written into " + name);
  }
  for (std::string& pair : lonely_pairs(task)) out.push_back(std::move(pair));
  Specials seen;
  for (const Case& c : task.cases)
    for (const auto& [name, a] : c.args) look(a, seen);
  if (seen.floats && !seen.nan && !says(task, "NaN and infinities do not occur")) out.push_back("no case passes NaN");
  if (seen.floats && !seen.infinity && !says(task, "nfinities do not occur")) out.push_back("no case passes an infinity");
  return out;
}

}  // namespace kbx::eval
