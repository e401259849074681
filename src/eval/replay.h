// Replay: what a correct candidate launched is played again, in a process that never held its code, on inputs that were
// drawn where no worker could see them. Launches that do not compute the result by themselves are `delegated`: a cached
// answer, work done on the host, an operator behind the recorder's back. What cannot be played is flagged `in_process`
// with the reason: its values were judged where the candidate ran, which is worth less.
#pragma once
#include <string>
#include <vector>

#include "eval/charge.h"
#include "eval/truth.h"
#include "sandbox/outcome.h"

namespace kbx::eval {

struct Replayed {
  std::vector<Charge> charges;
  std::vector<Finding> findings;
  std::vector<std::string> flags;  // "replayed" or "in_process: WHY"
};

// Places in truth.cases, ascending: every case that returns, outliers too. A choice that a candidate can foresee would leave
// it the rest. The repeat of the first case is its tape with other inputs, which is what a replay is.
std::vector<size_t> replay_cases(const TaskTruth& truth);
// The same on a card, where a recorded call is another call: the first, the largest and the last standard case.
std::vector<size_t> device_replay_cases(const TaskTruth& truth);
// With `replay_required`: what is said of a candidate without charges that was not `replayed`; else nothing.
std::vector<Charge> unreplayed(const EvalConfig& config, const std::vector<Charge>& charges, const std::vector<std::string>& flags);
// What the judge says of one played case: "" = right. `seen` is the result of the run that was recorded: its shape with
// the tensors of `played.result` (one tuple) in their order.
std::string differs(const Task& task, const CaseTruth& unseen, const Value& seen, const sandbox::StepResult& played);
// `first` is the run on `truth` with tapes; `unseen` the truth of replay_cases(truth) on unseen inputs, in order. An Error
// is the harness's.
Result<Replayed> replay(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, const TaskTruth& truth, const TaskTruth& unseen,
                        const sandbox::Outcome& first);

}  // namespace kbx::eval
