#include "eval/truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "eval/protocol.h"
#include "eval/replay.h"
#include "eval/roots.h"
#include "judge/arguments.h"
#include "sandbox/run.h"

namespace kbx::eval {
namespace {

// The seed of the repeat: any other one; the run's own stays secret.
constexpr uint64_t kRepeatSeedStep = 0x9E3779B97F4A7C15u;
constexpr uint64_t kUnseenSeedStep = 0xD1B54A32D192ED03u;
constexpr uint64_t kCallsSeedStep = 0xA0761D6478BD642Fu;

bool defines(const std::string& source, std::string_view function) {
  std::string def = fmt::format("def {}(", function);
  return source.rfind(def, 0) == 0 || source.find("\n" + def) != source.npos;
}

// Functions that a reference may define beside the entry. scheme() is what a quantized kernel computes, in its own dtypes.
struct Helper {
  const char *name, *mode;
  std::optional<Value> CaseTruth::* slot;
};
constexpr std::array<Helper, 6> kHelpers{{{"magnitude", "truth", &CaseTruth::magnitude},
                                          {"scheme", "eager", &CaseTruth::scheme},
                                          {"survivors", "truth", &CaseTruth::survivors},
                                          {"dropped", "truth", &CaseTruth::dropped},
                                          {"probability", "truth", &CaseTruth::probability},
                                          {"domain", "truth", &CaseTruth::domain}}};

struct Ask {
  std::string entry, mode;
};

std::vector<std::pair<std::string, int>> permutation(const Task& task, const Case& which) {
  if (which.oracle) return which.oracle->permute;
  if (!task.oracle.permute.empty()) return task.oracle.permute;
  for (const auto& [path, oracle] : task.oracle_at)
    if (!oracle.permute.empty()) return oracle.permute;
  return {};
}

bool holds_float64(const ArgSpec& spec) {
  if (spec.kind == ArgSpec::Kind::dtype) return spec.text == "f64" || spec.text == "c128";
  if (spec.kind == ArgSpec::Kind::tensor) return spec.tensor.dtype == Dtype::f64 || spec.tensor.dtype == Dtype::c128;
  return std::any_of(spec.items.begin(), spec.items.end(), holds_float64);
}

// What is asked of the reference for one case, in order.
std::vector<Ask> asks(const Task& task, const Case& which) {
  std::vector<Ask> out{{task.entry.name, "eager"}, {task.entry.name, "truth"}};
  if (!permutation(task, which).empty()) out.push_back({task.entry.name, "permuted"});
  for (const auto& [name, spec] : which.args)
    if (holds_float64(spec)) {
      out.push_back({task.entry.name, "narrow"});
      break;
    }
  for (const Helper& h : kHelpers)
    if (defines(task.reference, h.name)) out.push_back({h.name, h.mode});
  return out;
}

Error reference_error(const Task& task, const CaseTruth& c, const Ask& ask, const sandbox::Outcome& out, size_t step) {
  std::string why = out.note;
  if (out.load_error) why = out.load_error->type + ": " + out.load_error->message;
  if (step < out.steps.size() && out.steps[step].error) why = out.steps[step].error->type + ": " + out.steps[step].error->message;
  return {Code::internal, fmt::format("the reference of task {} failed in case {} ({}, {}): {}", task.name, c.which->name, ask.entry, ask.mode, why), {}};
}

// Distributes one answer of the reference.
void take(CaseTruth& c, const Task& task, const Ask& ask, sandbox::StepResult& step) {
  if (ask.entry != task.entry.name) {
    for (const Helper& h : kHelpers)
      if (ask.entry == h.name) c.*h.slot = std::move(step.result);
    if (ask.entry != "magnitude") return;
    for (auto& [root, value] : mutated_roots(step.mutated)) {
      const Value* before = judge::argument(task, c.call, root);
      if (before && !same_numbers(*before, value)) c.roots[root].magnitude = std::move(value);
    }
    return;
  }
  auto put = [&](const std::string& root, Value v) {
    CaseTruth::Root& r = c.roots[root];
    (ask.mode == "eager" ? r.eager : ask.mode == "truth" ? r.truth : ask.mode == "narrow" ? r.narrow.emplace() : r.permuted.emplace()) = std::move(v);
  };
  put("result", std::move(step.result));
  if (ask.mode == "eager") c.aliases = std::move(step.aliases);
  for (auto& [root, value] : mutated_roots(step.mutated)) put(root, value);
}

}  // namespace

std::vector<std::string> positional_names(const Signature& signature, const Call& call) {
  std::vector<std::string> names;
  for (const Parameter& p : signature.parameters) {
    if (names.size() == call.args.size()) break;
    if (p.kind == Parameter::Kind::keyword) continue;
    if (p.kind == Parameter::Kind::variadic) names.resize(call.args.size(), p.name);
    else names.push_back(p.name);
  }
  names.resize(call.args.size());
  return names;
}

Result<std::vector<CaseTruth>> make_calls(const Task& task, uint64_t seed) {
  std::vector<CaseTruth> out;
  auto add = [&](const Case& c, suite::Phase phase, const char* name, uint64_t s) -> Result<void> {
    KBX_TRY_ASSIGN(Call call, suite::make_call(task, c, phase, s));
    CaseTruth t;
    t.which = &c;
    t.phase = name;
    t.names = positional_names(task.entry, call);
    t.call = std::move(call);
    out.push_back(std::move(t));
    return {};
  };
  for (const Case& c : task.cases) {
    KBX_TRY(add(c, suite::Phase::standard, "standard", seed));
    if (&c == &task.cases.front()) KBX_TRY(add(c, suite::Phase::standard, "repeat", seed + kRepeatSeedStep));
  }
  for (const Case& c : task.cases)
    if (suite::has_outlier_twin(task, c)) KBX_TRY(add(c, suite::Phase::outlier, "outlier", seed));
  return out;
}

sandbox::Request reference_request(const Task& task, const EvalConfig& config) {
  sandbox::Request request;
  request.role = sandbox::Role::reference;
  request.source = task.reference;
  request.entries = {task.entry.name};
  request.protocol = protocol_of(task);
  request.limits = config.limits;
  request.limits.call_seconds = std::max(60.0, config.limits.call_seconds);
  request.jail = config.jail;
  request.output_capacity = int64_t(256) << 20;
  return request;
}

Result<void> ask_reference(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, TaskTruth& truth) {
  sandbox::Request request = reference_request(task, config);
  for (const CaseTruth& c : truth.cases) {
    if (!c.which->raises.empty()) continue;
    for (const Ask& ask : asks(task, *c.which)) {
      sandbox::CallStep step;
      step.entry = ask.entry;
      step.mode = ask.mode;
      step.call = &c.call;
      step.names = &c.names;
      step.mutates = task.mutates;
      if (ask.mode == "permuted") step.permute = permutation(task, *c.which), step.permute_seed = config.seed;
      request.steps.push_back(std::move(step));
    }
  }
  request.stop_after_failure = true;
  KBX_TRY_ASSIGN(sandbox::Outcome out, sandbox::run(server, request));
  size_t at = 0;
  for (CaseTruth& c : truth.cases) {
    if (!c.which->raises.empty()) continue;
    for (const Ask& ask : asks(task, *c.which)) {
      if (at >= out.steps.size() || !out.steps[at].ok) return tl::unexpected(reference_error(task, c, ask, out, at));
      take(c, task, ask, out.steps[at]);
      at++;
    }
  }
  return {};
}

Result<TaskTruth> compute_truth(sandbox::ForkServer& server, const Task& task, const EvalConfig& config) {
  TaskTruth truth;
  KBX_TRY_ASSIGN(truth.cases, make_calls(task, config.seed));
  KBX_TRY(ask_reference(server, task, config, truth));
  return truth;
}

Result<TaskTruth> compute_unseen(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, const TaskTruth& shown) {
  TaskTruth truth;
  for (size_t k : replay_cases(shown)) {
    CaseTruth c;
    c.which = shown.cases[k].which;
    c.phase = shown.cases[k].phase == "outlier" ? "unseen outlier" : "unseen";
    auto phase = shown.cases[k].phase == "outlier" ? suite::Phase::outlier : suite::Phase::standard;
    KBX_TRY_ASSIGN(c.call, suite::make_call(task, *c.which, phase, config.seed + kUnseenSeedStep));
    c.names = positional_names(task.entry, c.call);
    truth.cases.push_back(std::move(c));
  }
  KBX_TRY(ask_reference(server, task, config, truth));
  return truth;
}

Result<std::shared_ptr<const TaskTruth>> TruthCache::get(const Task& task) {
  return find(task.name, [&] { return compute_truth(server_, task, config_); });
}

Result<std::shared_ptr<const TaskTruth>> TruthCache::get_unseen(const Task& task) {
  KBX_TRY_ASSIGN(auto shown, get(task));
  return find(task.name + " unseen", [&] { return compute_unseen(server_, task, config_, *shown); });
}

Result<std::shared_ptr<const TaskTruth>> TruthCache::get_unseen_on_card(const Task& task) {
  KBX_TRY_ASSIGN(auto shown, get(task));
  KBX_TRY_ASSIGN(auto all, get_unseen(task));
  return find(task.name + " unseen on the card", [&]() -> Result<TaskTruth> {
    TaskTruth truth;
    auto places = replay_cases(*shown), wanted = device_replay_cases(*shown);
    for (size_t k = 0; k < places.size(); k++)
      if (std::binary_search(wanted.begin(), wanted.end(), places[k])) truth.cases.push_back(all->cases[k]);
    return truth;
  });
}

Result<std::shared_ptr<const TaskTruth>> TruthCache::get_calls(const Task& task) {
  return find(task.name + " calls", [&]() -> Result<TaskTruth> {
    TaskTruth truth;
    KBX_TRY_ASSIGN(truth.cases, make_calls(task, config_.seed + kCallsSeedStep));
    return truth;
  });
}

template <class F>
Result<std::shared_ptr<const TaskTruth>> TruthCache::find(const std::string& key, F compute) {
  std::unique_lock lock(mutex_);
  auto& busy = busy_[key];
  if (!busy) busy = std::make_unique<std::mutex>();
  std::mutex& mine = *busy;
  lock.unlock();
  std::lock_guard once(mine);
  lock.lock();
  for (auto it = recent_.begin(); it != recent_.end(); ++it)
    if (it->first == key) {
      recent_.splice(recent_.begin(), recent_, it);
      return recent_.front().second;
    }
  lock.unlock();
  KBX_TRY_ASSIGN(TaskTruth truth, compute());
  auto shared = std::make_shared<const TaskTruth>(std::move(truth));
  lock.lock();
  recent_.emplace_front(key, shared);
  if (recent_.size() > capacity_) recent_.pop_back();
  return shared;
}

}  // namespace kbx::eval
