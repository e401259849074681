// A case becomes a call: each argument's tensor has its own stream, named by its path.
#include "suite/inputs.h"

#include <fmt/core.h>

#include <algorithm>

#include "suite/case_fit.h"
#include "suite/fill.h"
#include "suite/layout.h"

namespace kbx::suite {
namespace {

// Does the outlier phase change this tensor?
bool is_target(const Task& task, const std::string& parameter, const TensorSpec& spec) {
  const auto& named = task.outlier.args;
  if (!named.empty()) return std::find(named.begin(), named.end(), parameter) != named.end();
  if (!is_floating(spec.dtype) && !is_complex(spec.dtype)) return false;
  using F = DistInfo::Family;
  const DistInfo* info = find_dist(spec.dist);
  return info && (info->family == F::continuous || (info->family == F::one_sided && task.outlier.clamp));
}

bool any_target(const Task& task, const std::string& parameter, const ArgSpec& arg) {
  if (arg.kind == ArgSpec::Kind::tensor) return is_target(task, parameter, arg.tensor);
  return std::any_of(arg.items.begin(), arg.items.end(),
                     [&](const ArgSpec& item) { return any_target(task, parameter, item); });
}

class CallMaker {
 public:
  CallMaker(const Task& task, const Case& which, Phase phase, uint64_t run_seed, bool draw)
      : task_(task), case_(which), phase_(phase), seed_(std::to_string(run_seed)), draw_(draw) {}

  Result<Call> make() {
    Call call;
    for (const Parameter& p : task_.entry.parameters) {
      auto it = case_.args.find(p.name);
      if (it == case_.args.end()) continue;
      KBX_TRY_ASSIGN(Value value, value_of(it->second, p.name, p.name));
      if (p.kind == Parameter::Kind::variadic)
        call.args.insert(call.args.end(), value.items.begin(), value.items.end());
      else if (by_position(p))
        call.args.push_back(std::move(value));
      else
        call.kwargs.emplace_back(p.name, std::move(value));
    }
    return call;
  }

 private:
  // Values of a variadic parameter can only follow when everything before it is given by position.
  bool by_position(const Parameter& p) const {
    if (p.kind == Parameter::Kind::keyword) return false;
    if (!p.default_text) return true;
    for (const Parameter& q : task_.entry.parameters)
      if (q.kind == Parameter::Kind::variadic) {
        auto it = case_.args.find(q.name);
        return it != case_.args.end() && !it->second.items.empty();
      }
    return false;
  }

  Result<Value> value_of(const ArgSpec& arg, const std::string& parameter, const std::string& path) {
    using K = ArgSpec::Kind;
    Value v;
    switch (arg.kind) {
      case K::none:
        return v;
      case K::boolean:
        return Value::of_bool(arg.boolean);
      case K::integer:
        return Value::of_int(arg.integer);
      case K::floating:
        return Value::of_float(arg.floating);
      case K::string:
        return Value::of_string(arg.text);
      case K::dtype:
        v.kind = ValueKind::dtype;
        v.text = arg.text;
        return v;
      case K::device:
        v.kind = ValueKind::device;
        return v;
      case K::generator:
        v.kind = ValueKind::generator;
        v.integer = arg.integer;
        return v;
      case K::tensor:
        return tensor(arg.tensor, parameter, path);
      case K::copy_of:
        return copy(arg.text);
      case K::list:
      case K::tuple:
        break;
    }
    v.kind = arg.kind == K::list ? ValueKind::list : ValueKind::tuple;
    for (size_t k = 0; k < arg.items.size(); k++) {
      KBX_TRY_ASSIGN(Value item, value_of(arg.items[k], parameter, fmt::format("{}[{}]", path, k)));
      v.items.push_back(std::move(item));
    }
    return v;
  }

  Result<Value> tensor(const TensorSpec& spec, const std::string& parameter, const std::string& path) {
    if (auto it = made_.find(path); it != made_.end()) return it->second;
    if (auto wrong = check_tensor(spec); !wrong.empty())
      return fail(Code::usage, fmt::format("{}, case '{}', argument '{}': {}", task_.name, case_.name, path, wrong[0]));
    if (!draw_) {
      Value v = Value::of_tensor({.dtype = spec.dtype, .shape = spec.shape});
      v.requires_grad = spec.requires_grad;
      return v;
    }
    RandomStream stream({"kbx inputs 1", seed_, task_.name, case_.name, path, to_text(phase_)});
    std::optional<Replacement> replacement;
    if (phase_ == Phase::outlier && is_target(task_, parameter, spec))
      replacement = Replacement{task_.outlier.prob, task_.outlier.scale, task_.outlier.clamp};
    Layout layout = *parse_layout(spec.layout);
    Value v = Value::of_tensor(lay_out(spec, layout, fill(spec, drawn_shape(spec, layout), stream, replacement)));
    v.requires_grad = spec.requires_grad;
    made_[path] = v;
    return v;
  }

  // The source is made first when it stands later in the signature; its bytes depend on its own path alone.
  Result<Value> copy(const std::string& path) {
    const ArgSpec* source = find_spec(case_, path);
    return tensor(source->tensor, path.substr(0, path.find('[')), path);
  }

  const Task& task_;
  const Case& case_;
  Phase phase_;
  std::string seed_;
  bool draw_;
  std::map<std::string, Value> made_;
};

}  // namespace

std::string_view to_text(Phase phase) { return phase == Phase::standard ? "standard" : "outlier"; }

namespace {
Result<Call> checked_call(const Task& task, const Case& which, CallMaker maker) {
  if (auto wrong = case_misfits(task.entry, which); !wrong.empty())
    return fail(Code::usage, fmt::format("{}, case '{}': {}", task.name, which.name, wrong[0].second));
  return maker.make();
}
}  // namespace

Result<Call> make_call(const Task& task, const Case& which, Phase phase, uint64_t run_seed) {
  return checked_call(task, which, CallMaker(task, which, phase, run_seed, true));
}

Result<Call> outline_call(const Task& task, const Case& which) {
  return checked_call(task, which, CallMaker(task, which, Phase::standard, 0, false));
}

bool has_outlier_twin(const Task& task, const Case& which) {
  if (!task.outlier.enabled || !which.outlier || !which.raises.empty()) return false;
  return std::any_of(which.args.begin(), which.args.end(),
                     [&](const auto& arg) { return any_target(task, arg.first, arg.second); });
}

}  // namespace kbx::suite
