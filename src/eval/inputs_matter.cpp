// One reference worker, two kinds of variants of every standard case: a tensor argument redrawn from another seed, and a
// scalar argument given the value it has in another case (or left out). A parameter matters as soon as one variant has
// another outcome: other values, another structure, or an exception.
#include "eval/inputs_matter.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <set>

#include "eval/protocol.h"
#include "eval/roots.h"
#include "sandbox/run.h"
#include "suite/binding.h"

namespace kbx::eval {
namespace {

bool same(const Value& a, const Value& b) {
  if (a.kind != b.kind || a.items.size() != b.items.size()) return false;
  if (a.kind == ValueKind::tensor) {
    Tensor x = a.tensor.dense(), y = b.tensor.dense();
    return x.dtype == y.dtype && x.shape == y.shape && *x.storage == *y.storage;
  }
  for (size_t k = 0; k < a.items.size(); k++)
    if (!same(a.items[k], b.items[k])) return false;
  return a.boolean == b.boolean && a.integer == b.integer && a.floating == b.floating && a.text == b.text;
}

struct Variant {
  std::string parameter;
  size_t which;  // index into truth.cases
  Call call;
  std::vector<std::string> names;
};

// A parameter that only the published signature wants: a line of the contract says "NAME: has no effect".
bool declared_idle(const Task& task, const std::string& name) {
  std::string says = name + ": has no effect";
  return std::any_of(task.contract.begin(), task.contract.end(), [&](const std::string& line) { return line.rfind(says, 0) == 0; });
}

bool holds_tensor(const ArgSpec& a) {
  if (a.kind == ArgSpec::Kind::tensor) return true;
  return std::any_of(a.items.begin(), a.items.end(), holds_tensor);
}

// The case with one argument of another origin; nothing when that does not make a valid call.
std::optional<Call> redrawn(const Task& task, const CaseTruth& c, const std::string& name, uint64_t seed) {
  auto other = suite::make_call(task, *c.which, suite::Phase::standard, seed);
  if (!other) return std::nullopt;
  Call call = c.call;
  for (size_t k = 0; k < call.args.size(); k++)
    if (c.names[k] == name) call.args[k] = other->args[k];
  for (size_t k = 0; k < call.kwargs.size(); k++)
    if (call.kwargs[k].first == name) call.kwargs[k].second = other->kwargs[k].second;
  return call;
}

std::optional<Call> with_argument(const Task& task, const Case& base, const std::string& name, const ArgSpec* spec, uint64_t seed) {
  Case changed = base;
  if (spec) changed.args[name] = *spec;
  else changed.args.erase(name);
  auto call = suite::make_call(task, changed, suite::Phase::standard, seed);
  if (!call) return std::nullopt;
  return std::move(*call);
}

// One change of one case: the argument redrawn, left out, or as another case has it.
struct Change {
  enum class Kind : unsigned char { redraw, leave_out, value } kind;
  const ArgSpec* value = nullptr;
};

std::vector<Change> changes_of(const Task& task, const Case& which, const Parameter& p) {
  std::vector<Change> out;
  auto given = which.args.find(p.name);
  if (given != which.args.end() && holds_tensor(given->second)) out.push_back({Change::Kind::redraw});
  if (given != which.args.end() && p.default_text) out.push_back({Change::Kind::leave_out});
  // The next cases first, so that neighbours do not all try the same value.
  size_t n = task.cases.size(), own = size_t(&which - task.cases.data());
  for (size_t k = 1; k < n; k++) {
    const Case& other = task.cases[(own + k) % n];
    auto value = other.args.find(p.name);
    if (value != other.args.end() && !holds_tensor(value->second)) out.push_back({Change::Kind::value, &value->second});
  }
  return out;
}

std::optional<Call> changed_call(const Task& task, const CaseTruth& c, const Parameter& p, const Change& change, uint64_t seed) {
  if (change.kind == Change::Kind::redraw) return redrawn(task, c, p.name, seed + 77);
  return with_argument(task, *c.which, p.name, change.value, seed);
}

// At most `most` variants of one parameter: round after round one of each case, in strides over the cases.
void add_variants(const Task& task, const TaskTruth& truth, const Parameter& p, uint64_t seed, size_t most, std::vector<Variant>& out) {
  std::vector<std::pair<size_t, std::vector<Change>>> all;
  for (size_t k = 0; k < truth.cases.size(); k++)
    if (truth.cases[k].phase == "standard" && truth.cases[k].which->raises.empty()) all.emplace_back(k, changes_of(task, *truth.cases[k].which, p));
  std::vector<size_t> order = spread_order(all.size(), most);
  size_t made = 0, rounds = 0;
  for (const auto& [k, changes] : all) rounds = std::max(rounds, changes.size());
  for (size_t round = 0; round < rounds; round++)
    for (size_t at : order) {
      const auto& [k, changes] = all[at];
      if (made >= most) return;
      if (round >= changes.size()) continue;
      auto call = changed_call(task, truth.cases[k], p, changes[round], seed);
      if (!call) continue;
      made++;
      auto names = positional_names(task.entry, *call);
      out.push_back({p.name, k, std::move(*call), std::move(names)});
    }
}

// The parameters of variants whose outcome is another one than their case's.
Result<std::set<std::string>> reacting(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, const TaskTruth& truth, const std::vector<Variant>& variants) {
  sandbox::Request request = reference_request(task, config);
  for (const Variant& v : variants) {
    sandbox::CallStep step;
    step.entry = task.entry.name;
    step.call = &v.call;
    step.names = &v.names;
    step.mutates = task.mutates;
    request.steps.push_back(std::move(step));
  }
  KBX_TRY_ASSIGN(sandbox::Outcome out, sandbox::run(server, request));
  std::set<std::string> matters;
  for (size_t k = 0; k < variants.size() && k < out.steps.size(); k++) {
    const sandbox::StepResult& step = out.steps[k];
    bool changed = !step.ok;
    auto mutated = mutated_roots(step.mutated);
    for (const auto& [root, expected] : truth.cases[variants[k].which].roots) {
      if (changed) break;
      changed = !same(root == "result" ? step.result : mutated[root], expected.eager);
    }
    if (changed) matters.insert(variants[k].parameter);
  }
  return matters;
}

// The tensors of a value as somebody sees them who takes their memory for contiguous; false where none is laid out
// otherwise. A read that leaves the memory begins again at its start.
bool misread(Value& v) {
  bool changed = false;
  for (Value& item : v.items) changed |= misread(item);
  Tensor& t = v.tensor;
  if (v.kind != ValueKind::tensor || t.numel() < 2 || t.strides() == row_major(t.shape)) return changed;
  size_t width = size_of(t.dtype), bytes = size_t(t.numel()) * width, from = size_t(t.offset) * width, length = t.storage->size() - from;
  Bytes lying(bytes);
  for (size_t k = 0; k < bytes; k++) lying[k] = t.data()[from + k % length];
  t = make_tensor(t.dtype, t.shape, std::move(lying));
  return true;
}

}  // namespace

std::vector<size_t> spread_order(size_t count, size_t most) {
  std::vector<size_t> order;
  size_t stride = most > 0 ? (count + most - 1) / most : 0;
  for (size_t first = 0; first < stride; first++)
    for (size_t k = first; k < count; k += stride) order.push_back(k);
  return order;
}

Result<std::vector<std::string>> idle_inputs(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, const TaskTruth& truth) {
  std::vector<std::string> idle;
  for (const Parameter& p : task.entry.parameters)
    if (!declared_idle(task, p.name)) idle.push_back(p.name);
  // A few variants tell almost always; many where they did not.
  for (size_t most : {size_t(12), size_t(120), size_t(600)}) {
    std::vector<Variant> variants;
    for (const Parameter& p : task.entry.parameters)
      if (std::find(idle.begin(), idle.end(), p.name) != idle.end()) add_variants(task, truth, p, config.seed, most, variants);
    if (variants.empty()) break;
    KBX_TRY_ASSIGN(auto matters, reacting(server, task, config, truth, variants));
    std::erase_if(idle, [&](const std::string& name) { return matters.count(name) > 0; });
  }
  return idle;
}

Result<std::vector<std::string>> masked_inputs(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, const TaskTruth& truth) {
  std::vector<std::string> names, out;
  if (task.oracle.kind == OracleKind::statistical) return out;  // random results differ whatever is left out
  for (const Parameter& p : task.entry.parameters) {
    bool written = std::find(task.mutates.begin(), task.mutates.end(), p.name) != task.mutates.end();
    if (p.default_text && !written && !declared_idle(task, p.name)) names.push_back(p.name);
  }
  // Every parameter left out of every case that gives it and another one.
  auto mark = [](size_t which, const std::string& name) { return std::to_string(which) + " " + name; };
  std::vector<Variant> variants;
  for (size_t k = 0; k < truth.cases.size(); k++) {
    const CaseTruth& c = truth.cases[k];
    if (c.phase != "standard" || !c.which->raises.empty()) continue;
    for (const std::string& name : names) {
      if (c.which->args.count(name) == 0) continue;
      auto call = with_argument(task, *c.which, name, nullptr, config.seed);
      if (!call) continue;
      auto positional = positional_names(task.entry, *call);
      variants.push_back({mark(k, name), k, std::move(*call), std::move(positional)});
    }
  }
  if (names.size() < 2 || variants.empty()) return out;
  KBX_TRY_ASSIGN(auto matters, reacting(server, task, config, truth, variants));
  for (const std::string& a : names)
    for (const std::string& b : names) {
      bool ever = false, together = false, shows = false;
      for (size_t k = 0; k < truth.cases.size(); k++) {
        bool reacts = matters.count(mark(k, a)) > 0, with = truth.cases[k].which->args.count(b) > 0;
        ever |= reacts;
        together |= with && truth.cases[k].which->args.count(a) > 0;
        shows |= with && reacts;
      }
      if (a != b && ever && together && !shows) out.push_back(a + " makes no difference in any case that gives " + b);
    }
  return out;
}

Result<std::vector<std::string>> ignorable_strides(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, const TaskTruth& truth) {
  std::vector<Variant> variants;
  std::set<std::string> laid_out;
  for (size_t k = 0; k < truth.cases.size(); k++) {
    const CaseTruth& c = truth.cases[k];
    if (c.phase != "standard" || !c.which->raises.empty()) continue;
    for (const auto& [name, spec] : c.which->args) {
      bool written = std::find(task.mutates.begin(), task.mutates.end(), name) != task.mutates.end();
      if (written || !holds_tensor(spec)) continue;
      Call call = c.call;
      bool changed = false;
      for (size_t m = 0; m < call.args.size(); m++)
        if (c.names[m] == name) changed |= misread(call.args[m]);
      for (auto& [keyword, value] : call.kwargs)
        if (keyword == name) changed |= misread(value);
      if (!changed) continue;
      laid_out.insert(name);
      variants.push_back({name, k, std::move(call), c.names});
    }
  }
  std::vector<std::string> out;
  if (variants.empty()) return out;
  KBX_TRY_ASSIGN(auto matters, reacting(server, task, config, truth, variants));
  std::set_difference(laid_out.begin(), laid_out.end(), matters.begin(), matters.end(), std::back_inserter(out));
  return out;
}

}  // namespace kbx::eval
