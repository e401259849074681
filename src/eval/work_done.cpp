// Counts of launches against a share of the formula.
#include "eval/work_done.h"

#include <fmt/format.h>

#include "eval/call_cost.h"
#include "eval/candidate_charges.h"

namespace kbx::eval {
namespace {

// The machine counts instructions; a card does not.
std::optional<double> counted_flops(const sandbox::StepResult& step) {
  double sum = 0;
  for (const Launch& l : step.launches) {
    if (l.instructions == 0) return std::nullopt;
    sum += double(l.flops);
  }
  return step.launches.empty() ? std::nullopt : std::optional(sum);
}

}  // namespace

std::optional<Charge> work_charge(const Task& task, const TaskTruth& truth, const sandbox::Outcome& out) {
  if (task.cost.least_flops <= 0) return std::nullopt;
  const CaseTruth* largest = nullptr;
  const sandbox::StepResult* step = nullptr;
  double needed = 0;
  size_t at = 0;
  for (const CaseTruth& c : truth.cases) {
    size_t call = at;
    at += size_t(c.calls());
    if (c.phase != "standard" || !c.which->raises.empty() || call >= out.steps.size() || !out.steps[call].ok) continue;
    auto cost = call_cost(task, *c.which, c.call);
    if (!cost || cost->flops <= needed) continue;
    largest = &c, step = &out.steps[call], needed = cost->flops;
  }
  if (!largest) return std::nullopt;
  auto flops = counted_flops(*step);
  if (!flops || *flops >= task.cost.least_flops * needed) return std::nullopt;
  return Charge{Verdict::contract_violation,
                fmt::format("{}: the work was not done: the launches executed {:.0f} floating point operations, the task needs about {:.0f} and at least {:.0f} of them", place(*largest),
                            *flops, needed, task.cost.least_flops * needed),
                false, 0};
}

std::optional<Charge> uncounted_charge(const Task& task, const TaskTruth& truth, const sandbox::Outcome& out) {
  if (task.cost.least_flops <= 0) return std::nullopt;
  for (size_t k = 0; k < truth.cases.size(); k++) {
    size_t call = truth.first_call(k);
    if (truth.cases[k].phase == "standard" && call < out.steps.size() && out.steps[call].ok && counted_flops(out.steps[call])) return std::nullopt;
  }
  return Charge{Verdict::not_judged, "right on the card, but whether the work was done is counted on the machine, where no call of it came to an end", false, 0};
}

}  // namespace kbx::eval
