// One reference worker, two kinds of variants of every standard case: a tensor argument redrawn from another seed, and a
// scalar argument given the value it has in another case (or left out). A parameter matters as soon as one variant has
// another outcome: other values, another structure, or an exception.
#include "eval/inputs_matter.h"

#include <algorithm>
#include <deque>
#include <set>

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

void add_variants(const Task& task, const TaskTruth& truth, const Parameter& p, uint64_t seed, std::vector<Variant>& out) {
  constexpr size_t kMost = 12;  // per parameter
  size_t made = 0;
  auto add = [&](size_t k, std::optional<Call> call) {
    if (!call || made >= kMost) return;
    made++;
    auto names = positional_names(task.entry, *call);
    out.push_back({p.name, k, std::move(*call), std::move(names)});
  };
  for (size_t k = 0; k < truth.cases.size() && made < kMost; k++) {
    const CaseTruth& c = truth.cases[k];
    if (c.phase != "standard" || !c.which->raises.empty()) continue;
    auto given = c.which->args.find(p.name);
    if (given != c.which->args.end() && holds_tensor(given->second)) add(k, redrawn(task, c, p.name, seed + 77));
    if (given != c.which->args.end() && p.default_text) add(k, with_argument(task, *c.which, p.name, nullptr, seed));
    for (const Case& other : task.cases) {
      auto value = other.args.find(p.name);
      if (&other == c.which || value == other.args.end() || holds_tensor(value->second) || made >= kMost) continue;
      add(k, with_argument(task, *c.which, p.name, &value->second, seed));
    }
  }
}

}  // namespace

Result<std::vector<std::string>> idle_inputs(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, const TaskTruth& truth) {
  std::vector<Variant> variants;
  for (const Parameter& p : task.entry.parameters) add_variants(task, truth, p, config.seed, variants);
  sandbox::Request request;
  request.role = sandbox::Role::reference;
  request.source = task.reference;
  request.entries = {task.entry.name};
  request.protocol = task.protocol == Task::Protocol::optimizer ? "optimizer" : "function";
  request.limits = config.limits;
  request.limits.call_seconds = 60;
  request.jail = config.jail;
  request.output_capacity = int64_t(256) << 20;
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
    const auto& roots = truth.cases[variants[k].which].roots;
    bool changed = !step.ok;
    auto mutated = mutated_roots(step.mutated);
    for (const auto& [root, expected] : roots) {
      if (changed) break;
      changed = !same(root == "result" ? step.result : mutated[root], expected.eager);
    }
    if (changed) matters.insert(variants[k].parameter);
  }
  std::vector<std::string> idle;
  for (const Parameter& p : task.entry.parameters)
    if (!matters.count(p.name) && !declared_idle(task, p.name)) idle.push_back(p.name);
  return idle;
}

}  // namespace kbx::eval
