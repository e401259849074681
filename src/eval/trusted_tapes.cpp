#include "eval/trusted_tapes.h"

#include <fmt/format.h>

#include "eval/recorded_tape.h"
#include "sandbox/run.h"

namespace kbx::eval {
namespace {

constexpr double kSeconds = 120;  // for one command

TrustedTape tape_of(const sandbox::Outcome& out, size_t k) {
  TrustedTape tape;
  if (k >= out.steps.size() || !out.steps[k].ok) {
    bool said = k < out.steps.size() && out.steps[k].error;
    if (said) tape.why_not = out.steps[k].error->type + ": " + out.steps[k].error->message.substr(0, 300);
    else if (out.load_error) tape.why_not = out.load_error->type + ": " + out.load_error->message.substr(0, 300);
    else tape.why_not = "the call was not made" + (out.note.empty() ? "" : ": " + out.note);
    return tape;
  }
  const sandbox::StepResult& step = out.steps[k];
  if (auto parsed = playable_tape(step); !parsed) tape.why_not = parsed.error().message;
  else tape.bytes = step.device_tape;
  return tape;
}

Call outline(const TrustedCall& c) {
  Call call;
  for (const suite::Drawn& d : c.tensors) {
    Tensor t;
    t.dtype = d.spec.dtype;
    t.shape = d.spec.shape;
    call.args.push_back(Value::of_tensor(std::move(t)));
  }
  for (int64_t n : c.numbers) call.args.push_back(Value::of_int(n));
  return call;
}

}  // namespace

suite::Drawn drawn_tensor(std::string name, std::vector<int64_t> shape, Dtype dtype, std::string dist, std::map<std::string, double> params) {
  suite::Drawn d;
  d.path = std::move(name);
  d.spec.shape = std::move(shape);
  d.spec.dtype = dtype;
  d.spec.dist = std::move(dist);
  d.spec.params = std::move(params);
  return d;
}

Json inputs_of(const TrustedCall& call, int set) {
  Task task;
  task.name = "kbx calibrate";
  Case which;
  which.name = call.entry;
  Json list = Json::array();
  for (const suite::Drawn& d : call.tensors) list.push_back({{"name", d.path}, {"draw", suite::draw_json(d, task, which, 0, set)}});
  return list;
}

std::vector<TrustedTape> record_trusted(const MeasuringBench& bench, int card, uint64_t base, const std::vector<TrustedCall>& calls) {
  std::vector<TrustedTape> tapes(calls.size());
  if (calls.empty()) return tapes;
  std::vector<Call> outlines;
  std::vector<std::vector<std::string>> names;
  for (const TrustedCall& c : calls) {
    outlines.push_back(outline(c));
    names.emplace_back();
    for (const suite::Drawn& d : c.tensors) names.back().push_back(d.path);
    for (size_t k = 0; k < c.numbers.size(); k++) names.back().push_back(fmt::format("number{}", k));
  }
  sandbox::Request request = recorded_request(bench.config, card, base);
  request.source = bench.programs;
  request.entries = {calls.front().entry};
  request.output_capacity = int64_t(256) << 20;  // tapes hold the images of libraries
  for (size_t k = 0; k < calls.size(); k++) {
    sandbox::CallStep step;
    step.call = &outlines[k];
    step.names = &names[k];
    step.draws = suite::draws_json(calls[k].tensors);
    step.record = true;
    step.warm = 2;
    request.steps.push_back(std::move(step));
  }
  auto out = sandbox::run(bench.server, request);
  for (size_t k = 0; k < calls.size(); k++) {
    if (out) tapes[k] = tape_of(*out, k);
    else tapes[k].why_not = out.error().text();
  }
  return tapes;
}

Result<gpu::ClockProcess::Answer> SteadyClock::ask(const Json& command, const Bytes& blob) {
  if (!clock_ || !clock_->alive()) {
    KBX_TRY_ASSIGN(clock_, slot_.clock());
  }
  KBX_TRY_ASSIGN(auto answer, clock_->ask(command, blob, kSeconds));
  if (answer.ok()) return answer;
  return fail(Code::sandbox, fmt::format("{}: {}: {}", get_string(command, "do").value_or("?"), answer.fault(), answer.message()));
}

void SteadyClock::unload() {
  if (!clock_ || !clock_->alive()) return;
  auto gone = clock_->ask({{"do", "unload"}}, {}, kSeconds);
  if (!gone || !gone->ok()) clock_.reset();
}

}  // namespace kbx::eval
