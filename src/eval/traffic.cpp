// Counts against formulas: see the header.
#include "eval/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "eval/call_cost.h"
#include "eval/protocol.h"
#include "sandbox/run.h"

namespace kbx::eval {
namespace {

constexpr const char* kAgreementNames[] = {"equal", "copied", "unread", "data", "WRONG"};

double distinct_bytes(const Tensor& t) {
  double n = double(size_of(t.dtype));
  auto strides = t.strides();
  for (size_t k = 0; k < t.shape.size(); k++)
    if (t.shape[k] == 0 || strides[k] != 0) n *= double(t.shape[k]);
  return n;
}
double bytes_of(const Value& v) {
  double sum = 0;
  for (const TensorRef& ref : tensors_of(v, "")) sum += distinct_bytes(*ref.tensor);
  return sum;
}

std::string root_of(const std::string& path) { return path.substr(0, path.find('[')); }
bool contains(const std::vector<std::string>& list, const std::string& item) { return std::find(list.begin(), list.end(), item) != list.end(); }

// Only ever written: its contents before the call are poison. PATH: "out", "out[1]".
bool write_only(const Case& which, const std::string& path) {
  auto a = which.args.find(root_of(path));
  if (a == which.args.end()) return false;
  const ArgSpec* spec = &a->second;
  for (size_t at = path.find('['); at != path.npos; at = path.find('[', at + 1)) {
    size_t k = size_t(std::atoi(path.c_str() + at + 1));
    if (k >= spec->items.size()) return false;
    spec = &spec->items[k];
  }
  return spec->kind == ArgSpec::Kind::tensor && spec->tensor.dist == "poison";
}

struct Own {
  std::string path;
  const Tensor* tensor;
};
// Tensors of the arguments, one a storage.
std::vector<Own> own_inputs(const CaseTruth& truth) {
  std::vector<Own> out;
  std::set<const Bytes*> seen;
  auto add = [&](const Value& v, const std::string& name) {
    for (const TensorRef& ref : tensors_of(v, name))
      if (ref.tensor->numel() && seen.insert(ref.tensor->storage.get()).second) out.push_back({ref.path, ref.tensor});
  };
  for (size_t k = 0; k < truth.call.args.size(); k++) add(truth.call.args[k], truth.names[k]);
  for (const auto& [name, v] : truth.call.kwargs) add(v, name);
  return out;
}

const Value* argument(const CaseTruth& truth, const std::string& name) {
  for (size_t k = 0; k < truth.call.args.size(); k++)
    if (truth.names[k] == name) return &truth.call.args[k];
  for (const auto& [key, v] : truth.call.kwargs)
    if (key == name) return &v;
  return nullptr;
}
// Does the call change the argument at all? (`inplace=False`, statistics in inference)
bool changes(const CaseTruth& truth, const std::string& name, const Value& final) {
  const Value* before = argument(truth, name);
  if (!before) return false;
  auto a = tensors_of(*before, ""), b = tensors_of(final, "");
  if (a.size() != b.size()) return true;
  for (size_t k = 0; k < a.size(); k++) {
    Tensor x = a[k].tensor->dense(), y = b[k].tensor->dense();
    if (x.numel() != y.numel() || (x.numel() && *x.storage != *y.storage)) return true;
  }
  return false;
}

bool result_is_argument(const std::vector<std::string>& aliases, const std::string& path) {
  return std::any_of(aliases.begin(), aliases.end(), [&](const std::string& a) { return a.rfind(path + " aliases ", 0) == 0; });
}

// The argument of `mutates` that `path` is or lies in, or that is the same tensor (out = input); "" = it may not change.
std::string mutated_root(const Task& task, const CaseTruth& truth, const std::string& path) {
  if (contains(task.mutates, root_of(path))) return root_of(path);
  const Value* own = argument(truth, root_of(path));
  if (!own) return "";
  for (const TensorRef& ref : tensors_of(*own, root_of(path))) {
    if (ref.path != path || !ref.tensor->storage) continue;
    for (const std::string& root : task.mutates)
      if (const Value* other = argument(truth, root))
        for (const TensorRef& again : tensors_of(*other, root))
          if (again.tensor->storage == ref.tensor->storage) return root;
  }
  return "";
}

// What the launches of a call did to one storage.
struct Seen {
  std::string tensor;
  double bytes = 0, load_most = 0, load_sum = 0, store_most = 0, store_sum = 0;
};
std::map<int64_t, Seen> by_storage(const std::vector<Launch>& launches) {
  std::map<int64_t, Seen> out;
  for (const Launch& l : launches)
    for (const LaunchTensor& t : l.tensors) {
      if (t.tensor.empty() || t.storage < 0) continue;
      Seen& s = out[t.storage];
      s.tensor = t.tensor;
      s.bytes = double(t.bytes);
      s.load_most = std::max(s.load_most, double(t.unique_load_bytes));
      s.load_sum += double(t.unique_load_bytes);
      s.store_most = std::max(s.store_most, double(t.unique_store_bytes));
      s.store_sum += double(t.unique_store_bytes);
    }
  return out;
}

bool stored(const sandbox::StepResult& step, const std::string& root) {
  for (const auto& [number, s] : by_storage(step.launches))
    if (root_of(s.tensor) == root && s.store_sum > 0) return true;
  return false;
}

bool near(double a, double b) { return std::abs(a - b) <= 0.5 + 1e-9 * std::max(a, b); }

}  // namespace

std::string_view to_text(Agreement a) { return kAgreementNames[size_t(a)]; }

CallSizes call_sizes(const Task& task, const CaseTruth& truth, const sandbox::StepResult& step) {
  CallSizes out;
  for (const Own& own : own_inputs(truth))
    if (!write_only(*truth.which, own.path)) out.inputs += distinct_bytes(*own.tensor);
  for (const auto& [root, expected] : truth.roots) {
    if (root != "result") {
      if (contains(task.mutates, root) && (stored(step, root) || changes(truth, root, expected.eager))) out.outputs += bytes_of(expected.eager);
      continue;
    }
    for (const TensorRef& ref : tensors_of(expected.eager, "result"))
      if (!result_is_argument(step.aliases, ref.path)) out.outputs += distinct_bytes(*ref.tensor);
  }
  return out;
}

Counted count_call(const Task& task, const CaseTruth& truth, const sandbox::StepResult& step) {
  Counted out;
  for (const Launch& l : step.launches) {
    out.accessed += double(l.load_bytes) + double(l.store_bytes) + double(l.atomic_bytes);
    out.distinct += double(l.unique_load_bytes) + double(l.unique_store_bytes);
    out.flops += double(l.flops);
  }
  std::set<std::string> read, written;
  std::map<std::string, double> result_bytes;
  if (auto root = truth.roots.find("result"); root != truth.roots.end()) {
    auto refs = tensors_of(root->second.eager, "result");
    for (const TensorRef& ref : refs) result_bytes[ref.path] = distinct_bytes(*ref.tensor);
  }
  for (const auto& [number, s] : by_storage(step.launches)) {
    bool result = root_of(s.tensor) == "result", output = result || !mutated_root(task, truth, s.tensor).empty();
    if (!result && !write_only(*truth.which, s.tensor) && s.load_sum > 0) {
      read.insert(s.tensor);
      out.least += s.load_most;
      out.most += std::min(s.load_sum, s.bytes);
    }
    if (output && s.store_sum > 0) {
      written.insert(s.tensor);
      // A result may be a part of a larger buffer.
      double most = result && result_bytes.count(s.tensor) ? result_bytes[s.tensor] : s.bytes;
      out.least += std::min(s.store_most, most);
      out.most += std::min(s.store_sum, most);
    }
  }
  for (const Own& own : own_inputs(truth)) {
    std::string root = mutated_root(task, truth, own.path);
    auto final = truth.roots.find(root);
    bool mutated = !root.empty() && final != truth.roots.end();
    bool changed = mutated && changes(truth, root, final->second.eager), stored_to = written.count(own.path) > 0;
    // What is overwritten need not be read.
    bool overwritten = mutated && (stored_to || (!changed && step.launches.empty()));
    if (!read.count(own.path) && !write_only(*truth.which, own.path) && !overwritten) out.copied += distinct_bytes(*own.tensor);
    if (changed && !stored_to) out.copied += distinct_bytes(*own.tensor);
  }
  for (const auto& [name, bytes] : result_bytes)
    if (!result_is_argument(step.aliases, name) && !written.count(name)) out.copied += bytes;
  return out;
}

TrafficRow compare_traffic(const Task& task, const CaseTruth& truth, const sandbox::StepResult& step) {
  TrafficRow row;
  row.case_name = truth.which->name;
  row.sizes = call_sizes(task, truth, step);
  row.counted = count_call(task, truth, step);
  auto cost = call_cost(task, *truth.which, truth.call);
  if (!cost) {
    row.problem = "the formula does not fit this case: " + cost.error().message;
    return row;
  }
  row.formula = *cost;
  double want = cost->bytes, sizes = row.sizes.sum(), least = row.counted.least + row.counted.copied, most = row.counted.most + row.counted.copied;
  bool data = task.cost.differs == "data", unread = task.cost.differs == "unread";
  bool fits = want > least - 0.5 - 1e-9 * want && want < most + 0.5 + 1e-9 * want;
  // Of random data only the expectation is known; twice as much or half of it is another formula.
  auto by_two = [&](double low, double high) { return want <= 2 * high + 0.5 && low <= 2 * want + 0.5; };
  if (data && !fits && (by_two(least, most) || by_two(sizes, sizes))) row.agreement = Agreement::data;
  else if (!data && !near(want, sizes) && !(unread && want < sizes)) row.problem = fmt::format("the formula says {:.0f} bytes, inputs and outputs have {:.0f}", want, sizes);
  else if (fits) row.agreement = row.counted.copied > 0 ? Agreement::copied : Agreement::equal;
  else if (unread && most < want + 0.5) row.agreement = Agreement::unread;
  else row.problem = fmt::format("the formula says {:.0f} bytes, the witness moved between {:.0f} and {:.0f}", want, least, most);
  return row;
}

Result<std::vector<TrafficRow>> witness_traffic(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, const TaskTruth& truth) {
  std::vector<TrafficRow> rows;
  if (task.witness.empty()) return rows;
  sandbox::Request request;
  request.role = sandbox::Role::value;
  request.source = task.witness;
  request.entries = {task.entry.name};
  request.protocol = protocol_of(task);
  request.arch = config.archs.front();
  request.limits = config.limits;
  request.kernel_seconds = config.kernel_seconds;
  request.jail = config.jail;
  std::vector<const CaseTruth*> cases;
  for (const CaseTruth& c : truth.cases) {
    if (c.phase != "standard" || !c.which->raises.empty()) continue;
    sandbox::CallStep step;
    step.call = &c.call;
    step.names = &c.names;
    step.mutates = task.mutates;
    request.steps.push_back(std::move(step));
    cases.push_back(&c);
  }
  KBX_TRY_ASSIGN(sandbox::Outcome out, sandbox::run(server, request));
  for (size_t k = 0; k < cases.size(); k++) {
    if (k < out.steps.size() && out.steps[k].ok) {
      rows.push_back(compare_traffic(task, *cases[k], out.steps[k]));
      continue;
    }
    TrafficRow row;
    row.case_name = cases[k]->which->name;
    row.problem = "the witness did not return";
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace kbx::eval
