#include "eval/size_appeal.h"

#include <algorithm>
#include <map>
#include <utility>

#include "eval/device_replay.h"
#include "eval/replay.h"
#include "eval/truth.h"

namespace kbx::eval {
namespace {

using Answer = gpu::ClockProcess::Answer;

constexpr double kMostBytes = double(256 << 20), kMostRandom = double(64 << 20), kMostFlops = 2e10;
constexpr double kSeconds = 60;

using Storages = std::map<std::string, Bytes>;

Result<Storages> storages_of(const Answer& answer) {
  Storages out;
  const Json& inputs = get(answer.head, "inputs");
  if (!inputs.is_array()) return fail(Code::sandbox, "the clock told no inputs");
  for (const Json& i : inputs) {
    auto part = part_of(answer, i);
    if (!part) return fail(Code::sandbox, "the clock told an input that does not fit its bytes");
    out[get_string(i, "name").value_or("")] = Bytes(part->begin(), part->end());
  }
  return out;
}

// The call of a size with the inputs that the clock has drawn: its tensors are in the order of size.drawn.
class Filling {
 public:
  Filling(const PerfCall& size, Storages storages) : size_(size), storages_(std::move(storages)), call_(size.call) {}

  Result<Call> run() {
    for (Value& value : call_.args) fill(value);
    for (auto& [name, value] : call_.kwargs) fill(value);
    if (!missing_.empty()) return fail(Code::sandbox, "the clock did not tell the input " + missing_);
    return std::move(call_);
  }

 private:
  void fill(Value& value) {
    for (Value& item : value.items) fill(item);
    if (value.kind != ValueKind::tensor) return;
    std::string path = next_ < size_.drawn.size() ? size_.drawn[next_].path : "beyond the last";
    next_++;
    auto at = storages_.find(path);
    Tensor& t = value.tensor;
    if (at != storages_.end() && at->second.size() == size_t(t.numel()) * size_of(t.dtype)) t = make_tensor(t.dtype, t.shape, std::move(at->second));
    else if (t.numel() > 0) missing_ = path;
  }

  const PerfCall& size_;
  Storages storages_;
  Call call_;
  size_t next_ = 0;
  std::string missing_;
};

}  // namespace

bool SizeAppeal::possible() const {
  auto random = [](const Oracle& o) { return o.kind == OracleKind::statistical || o.random; };
  bool chance = random(task_.oracle) || std::any_of(task_.oracle_at.begin(), task_.oracle_at.end(), [&](const auto& at) { return random(at.second); });
  return size_.cost && size_.cost->bytes <= (chance ? kMostRandom : kMostBytes) && size_.cost->flops <= kMostFlops;
}

Heard SizeAppeal::hear(gpu::ClockProcess& clock, int set, const char* side) const {
  auto played = clock.ask({{"do", "play"}, {"side", side}, {"set", set}}, {}, kSeconds);
  if (!played) return {Heard::Said::unplayable, played.error().text()};
  if (!played->ok()) return {Heard::Said::unplayable, played->fault() + ": " + played->message()};
  auto inputs = clock.ask({{"do", "read"}, {"set", set}}, {}, kSeconds);
  if (!inputs || !inputs->ok()) return {};
  auto step = played_outputs(*played);
  auto storages = storages_of(*inputs);
  if (!step || !storages) return {};
  auto call = Filling(size_, std::move(*storages)).run();
  if (!call) return {};
  CaseTruth one;
  one.which = size_.which;
  one.phase = "size";
  one.names = size_.names;
  one.call = std::move(*call);
  TaskTruth truth;
  truth.cases.push_back(std::move(one));
  if (!ask_reference(server_, task_, config_, truth)) return {};
  const CaseTruth& answered = truth.cases.front();
  auto result = answered.roots.find("result");
  const Value eager = result == answered.roots.end() ? Value() : result->second.eager;
  std::string wrong = differs(task_, answered, eager, *step);
  return {wrong.empty() ? Heard::Said::right : Heard::Said::wrong, wrong};
}

}  // namespace kbx::eval
