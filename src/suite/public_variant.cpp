// Sizes of one case, what ties them, and new ones.
#include "suite/public_variant.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "base/hash.h"
#include "suite/binding.h"
#include "suite/case_fit.h"
#include "suite/dists.h"
#include "suite/expression.h"
#include "suite/inputs.h"

namespace kbx::suite {
namespace {

constexpr int64_t kSmall = 5;        // smaller sizes are kernels, channels, pairs, ...: they stay
constexpr size_t kFewestCases = 6;   // as docs/task_format.md asks for
constexpr double kScale = 0.75;      // of literal floats: stays in every domain that holds 0 and is closed under shrinking
constexpr double kPerfGrowth = 1.05; // performance sizes fill the memory: they hardly grow

using Sizes = std::set<int64_t>;

void each_tensor(ArgSpec& arg, const std::function<void(TensorSpec&)>& visit) {
  if (arg.kind == ArgSpec::Kind::tensor) visit(arg.tensor);
  for (ArgSpec& item : arg.items) each_tensor(item, visit);
}
void each_tensor(Case& c, const std::function<void(TensorSpec&)>& visit) {
  for (auto& [name, arg] : c.args) each_tensor(arg, visit);
}
void collect_integers(const ArgSpec& arg, Sizes& out) {
  if (arg.kind == ArgSpec::Kind::integer && std::abs(arg.integer) >= 2) out.insert(std::abs(arg.integer));
  for (const ArgSpec& item : arg.items) collect_integers(item, out);
}

bool is_literal(const TensorSpec& t) { return t.dist == "values" && (is_integer(t.dtype) || t.dtype == Dtype::boolean); }

// What is known of the numbers of one case.
struct Numbers {
  std::vector<std::vector<int64_t>> shapes;  // each once
  Sizes sizes, integers;
};

Numbers numbers_of(Case& c) {
  Numbers n;
  each_tensor(c, [&](TensorSpec& t) {
    if (std::find(n.shapes.begin(), n.shapes.end(), t.shape) == n.shapes.end()) n.shapes.push_back(t.shape);
    for (int64_t d : t.shape)
      if (d >= kSmall) n.sizes.insert(d);
  });
  for (const auto& [name, arg] : c.args) collect_integers(arg, n.integers);
  return n;
}

// d of one tensor is a product of neighbouring sizes of another (a flattened picture), or a multiple of one of its sizes
// by 2, 3, 4 or an integer argument (packed weights, three projections in one).
void freeze_ties(const Numbers& n, Sizes& frozen) {
  Sizes factors{2, 3, 4};
  factors.insert(n.integers.begin(), n.integers.end());
  for (const auto& a : n.shapes)
    for (const auto& b : n.shapes) {
      if (&a == &b) continue;
      for (int64_t d : a) {
        if (d < kSmall) continue;
        bool shared = std::find(b.begin(), b.end(), d) != b.end();
        for (size_t from = 0; from < b.size() && !shared; from++) {
          int64_t product = b[from];
          for (size_t to = from + 1; to < b.size() && product < d; to++) {
            product *= b[to];
            if (product == d && b[from] > 1 && b[to] > 1) frozen.insert(d), frozen.insert(b.begin() + long(from), b.begin() + long(to) + 1);
          }
          if (b[from] > 1 && d % b[from] == 0 && factors.contains(d / b[from]) && std::find(a.begin(), a.end(), b[from]) == a.end()) frozen.insert(d), frozen.insert(b[from]);
        }
      }
    }
}

// d = floor((e + 2 padding - dilation (kernel - 1) - 1) / stride) + 1 for an e of a picture: what is added to the result
// of a convolution or pooling. Every small number of the case may be any of the four.
bool is_window_count(int64_t d, int64_t e, const Sizes& kernels, const Sizes& integers) {
  Sizes numbers = integers;
  numbers.insert({0, 1});
  for (int64_t kernel : kernels)
    for (int64_t padding : numbers)
      for (int64_t stride : numbers)
        for (int64_t dilation : numbers) {
          int64_t room = e + 2 * padding - dilation * (kernel - 1) - 1;
          if (stride > 0 && dilation > 0 && room >= 0 && room / stride + 1 == d) return true;
        }
  return false;
}

void freeze_windows(const Numbers& n, Sizes& frozen) {
  Sizes spatial, kernels;
  for (const auto& shape : n.shapes)
    for (size_t k = 2; k < shape.size(); k++) (shape[k] < 8 ? kernels : spatial).insert(shape[k]), spatial.insert(shape[k]);
  if (n.shapes.size() < 3) return;  // a picture, a kernel, and what fits the result
  for (int64_t e : spatial)
    for (int64_t d : n.sizes)
      if (d != e && is_window_count(d, e, kernels, n.integers)) frozen.insert(d), frozen.insert(e);
}

// d is the length of a list's tensors laid one behind the other.
void freeze_sums(const Case& c, const Numbers& n, Sizes& frozen) {
  for (const auto& [name, arg] : c.args) {
    if (arg.items.size() < 2 || arg.items.front().kind != ArgSpec::Kind::tensor) continue;
    for (size_t axis = 0; axis < arg.items.front().tensor.shape.size(); axis++) {
      int64_t sum = 0;
      for (const ArgSpec& item : arg.items)
        if (axis < item.tensor.shape.size()) sum += item.tensor.shape[axis];
      if (!n.sizes.contains(sum)) continue;
      frozen.insert(sum);
      for (const ArgSpec& item : arg.items)
        if (axis < item.tensor.shape.size()) frozen.insert(item.tensor.shape[axis]);
    }
  }
}

// What a new size must stay a multiple of.
int64_t step_of(int64_t d, const Sizes& integers, int64_t most) {
  int64_t step = std::min<int64_t>(d & -d, most);
  for (int64_t v : integers)
    for (int64_t divisor : {v, v * v})
      if (divisor <= d && d % divisor == 0) step = std::lcm(step, divisor);
  return step == 1 ? 2 : step;  // odd sizes stay odd: tails are what they are for
}

// By argument and distance from the last dimension: the largest size in use.
using Limits = std::map<std::pair<std::string, size_t>, int64_t>;

void note_limits(const std::string& name, const ArgSpec& arg, Limits& out) {
  if (arg.kind == ArgSpec::Kind::tensor)
    for (size_t k = 0; k < arg.tensor.shape.size(); k++) {
      int64_t& most = out[{name, arg.tensor.shape.size() - k}];
      most = std::max(most, arg.tensor.shape[k]);
    }
  for (const ArgSpec& item : arg.items) note_limits(name, item, out);
}
Limits limits_of(const Task& task) {
  Limits out;
  for (const auto* list : {&task.cases, &task.perf})
    for (const Case& c : *list)
      for (const auto& [name, arg] : c.args) note_limits(name, arg, out);
  return out;
}
// The least of the limits over all places where a size of this case stands.
void tighten(const std::string& name, const ArgSpec& arg, const Limits& limits, std::map<int64_t, int64_t>& out) {
  if (arg.kind == ArgSpec::Kind::tensor)
    for (size_t k = 0; k < arg.tensor.shape.size(); k++) {
      int64_t most = limits.at({name, arg.tensor.shape.size() - k});
      auto [at, fresh] = out.emplace(arg.tensor.shape[k], most);
      if (!fresh) at->second = std::min(at->second, most);
    }
  for (const ArgSpec& item : arg.items) tighten(name, item, limits, out);
}

struct Growth {
  int64_t most_step = 8, most_steps = 3;
  std::map<int64_t, int64_t> limits;  // by size
  double most_factor = 4;
};

// New sizes, from the largest down, so that order is kept. Sizes that cannot change are mapped to themselves.
std::map<int64_t, int64_t> new_sizes(const Case& c, const Numbers& n, const Growth& growth, uint64_t noise) {
  Sizes frozen;
  for (int64_t v : n.integers)
    if (n.sizes.contains(v)) frozen.insert(v);
  freeze_ties(n, frozen);
  freeze_windows(n, frozen);
  freeze_sums(c, n, frozen);
  std::map<int64_t, int64_t> out;
  int64_t above = INT64_MAX;
  for (auto d = n.sizes.rbegin(); d != n.sizes.rend(); ++d) {
    int64_t step = step_of(*d, n.integers, growth.most_step), to = *d + step * (1 + int64_t(noise % uint64_t(growth.most_steps)));
    auto limit = growth.limits.find(*d);
    int64_t most = limit == growth.limits.end() ? INT64_MAX : limit->second;
    if (to > most || to >= above) to = *d + step;
    if (frozen.contains(*d) || to > most || to >= above || double(to) > double(*d) * growth.most_factor) to = *d;
    out[*d] = above = to;
    noise = noise * 6364136223846793005u + 1442695040888963407u;
    noise ^= noise >> 33;
  }
  return out;
}

// The case is still one that make_call() takes and [cost] can count.
bool is_possible(const Task& task, Case& c) {
  bool ok = case_misfits(task.entry, c).empty();
  each_tensor(c, [&](TensorSpec& t) { ok = ok && check_tensor(t).empty(); });
  if (!ok) return false;
  auto call = outline_call(task, c);
  if (!call) return false;
  for (const std::string* cost : {&task.cost.bytes, &task.cost.flops})
    if (!cost->empty() && !evaluate(*cost, task.entry, *call)) return false;
  return true;
}

void redraw(Case& c) {
  each_tensor(c, [](TensorSpec& t) {
    if (t.dist != "values" || is_literal(t)) return;
    for (double& v : t.values)
      if (std::isfinite(v) && std::abs(v) < 1e6) v *= kScale;
  });
  for (auto& [name, arg] : c.args)
    if (arg.kind == ArgSpec::Kind::generator) arg.integer++;
}

// False: it keeps its sizes.
bool reshape(const Task& task, Case& c, const Growth& growth) {
  if (!c.raises.empty()) return false;
  Numbers n = numbers_of(c);
  std::string hash = FieldHash().add(task.name).add(c.name).add("sizes").hex();
  std::map<int64_t, int64_t> to = new_sizes(c, n, growth, std::stoull(hash.substr(0, 15), nullptr, 16));
  Case changed = c;
  bool other = false;
  each_tensor(changed, [&](TensorSpec& t) {
    for (int64_t& d : t.shape)
      if (auto found = to.find(d); found != to.end()) other = other || found->second != d, d = found->second;
  });
  if (!other || !is_possible(task, changed)) return false;
  c = std::move(changed);
  return true;
}

bool has_literals(Case& c) {
  bool out = false;
  each_tensor(c, [&](TensorSpec& t) { out = out || is_literal(t); });
  return out;
}

Task variant(const Task& task, bool sizes, PublicCounts& counts) {
  Task out = task;
  Limits limits = limits_of(task);
  size_t literal = size_t(std::count_if(out.cases.begin(), out.cases.end(), [](Case& c) { return has_literals(c); }));
  bool drop = task.cases.size() - literal >= kFewestCases;
  out.cases.clear();
  for (const Case& original : task.cases) {
    Case c = original;
    if (drop && has_literals(c)) {
      counts.left_out++;
      continue;
    }
    Growth growth;
    for (const auto& [name, arg] : c.args) tighten(name, arg, limits, growth.limits);
    bool changed = sizes && reshape(task, c, growth);
    (changed ? counts.reshaped : counts.redrawn)++;
    redraw(c);
    c.name = fmt::format("public_{}", out.cases.size() + 1);
    out.cases.push_back(std::move(c));
  }
  int number = 0;
  for (Case& c : out.perf) {
    if (sizes) reshape(task, c, {.most_step = 64, .most_steps = 1, .limits = {}, .most_factor = kPerfGrowth});
    redraw(c);
    c.name = fmt::format("public_size_{}", ++number);
  }
  out.version = FieldHash().add(task.version).add(sizes ? "public variant" : "public variant, own sizes").hex();
  return out;
}

}  // namespace

Task public_variant(const Task& task, PublicCounts* counts) {
  PublicCounts own;
  return variant(task, true, counts ? *counts : own);
}

Task redrawn_variant(const Task& task) {
  PublicCounts counts;
  return variant(task, false, counts);
}

uint64_t public_seed(uint64_t run_seed) {
  std::string hash = FieldHash().add("public cases").add(std::to_string(run_seed)).hex();
  return std::stoull(hash.substr(0, 16), nullptr, 16);
}

}  // namespace kbx::suite
