#include "eval/compile_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/check.h"
#include "base/text.h"
#include "eval/candidate_charges.h"
#include "sandbox/run.h"

namespace kbx::eval {
namespace {

// One kernel that the compiler refuses; of several only the first is charged.
void take_refusal(CompileFindings& found, const sandbox::WorkerError& error, const EvalConfig& config, const CaseTruth& standing, bool first_case) {
  found.refused |= first_case;  // a later case: the values of the others still count
  if (!found.charges.empty()) return;
  found.error = error;
  found.charges.push_back(charge_of_error(error, fmt::format("sm_{}, {}", config.archs.front(), place(standing)), counts_for_paper(standing)));
  found.findings.push_back({Layer::compile, "compiler_refused", Severity::reject, error.message, error.line, 0});
}

}  // namespace

Result<CompileFindings> compile_candidate(sandbox::ForkServer& server, sandbox::Request ask, const EvalConfig& config, const TaskTruth& truth,
                                          const std::vector<PerfCall>& sizes) {
  CompileFindings found;
  // Standard cases only: outlier twins have the same shapes and so the same specialisations.
  std::vector<sandbox::CallStep> steps;
  std::vector<const CaseTruth*> standing;
  KBX_CHECK(ask.steps.size() == truth.cases.size());
  for (size_t k = 0; k < truth.cases.size(); k++)
    if (truth.cases[k].phase == "standard") steps.push_back(ask.steps[k]), standing.push_back(&truth.cases[k]);
  for (const PerfCall& size : sizes) {
    sandbox::CallStep step;
    step.call = &size.call;
    step.names = &size.names;
    step.draws = suite::draws_json(size.drawn);
    steps.push_back(std::move(step));
  }
  ask.steps = std::move(steps);
  double archs = std::max<double>(1, double(ask.archs.size()));
  ask.compile_seconds *= archs;
  ask.limits.call_seconds += 20 * archs + ask.compile_seconds;  // one kernel may take the compiler that long
  KBX_TRY_ASSIGN(sandbox::Outcome out, sandbox::run(server, ask));
  if (!out.loaded) {  // the value worker would say the same
    found.charges = charges_of_process(out);
    found.error = out.load_error;
    found.output = out.output;
    found.refused = true;
    return found;
  }
  for (size_t k = 0; k < std::min(out.steps.size(), standing.size()); k++) {
    const sandbox::StepResult& step = out.steps[k];
    found.compiled.insert(found.compiled.end(), step.compiled.begin(), step.compiled.end());
    if (step.error && step.error->kind == "compile_error") take_refusal(found, *step.error, config, *standing[k], k == 0);
  }
  auto answered = std::count_if(out.steps.begin(), out.steps.end(), [](const sandbox::StepResult& s) { return s.answered; });
  if (out.fate == sandbox::Fate::timeout) found.flags.push_back(fmt::format("kernels of {} calls not compiled (time)", int64_t(ask.steps.size()) - answered));
  if (!out.steps.empty() && out.steps.back().compile_skipped)
    found.flags.push_back(fmt::format("{} specialisations not compiled (budget)", out.steps.back().compile_skipped));
  return found;
}

std::vector<Finding> not_compiled(const std::vector<Compiled>& compiled, const sandbox::Outcome& out) {
  std::set<std::string> known;
  for (const Compiled& c : compiled) known.insert(c.kernel);
  std::vector<Finding> found;
  for (const sandbox::StepResult& step : out.steps)
    for (const Launch& l : step.launches)
      if (known.insert(l.kernel).second)
        found.push_back({Layer::compile, "not_compiled", Severity::note,
                         fmt::format("{} was launched where values are judged and never where kernels are compiled: what is said of registers is of others", clean_utf8(l.kernel, 120)), 0, 0});
  return found;
}

}  // namespace kbx::eval
