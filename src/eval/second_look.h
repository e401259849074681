// The second look: a candidate found correct runs once more, under device tensors that refuse what a GPU refuses and with
// the programs of each launch in reverse order. It yields warnings and notes, never a charge.
// Rules: strict_device (a GPU would raise, or a result lies on the CPU), order_dependent (wrong values in reverse order),
// the machine's own rules where only this run broke them (all warn); second_look (note: what could not be looked at).
#pragma once
#include <vector>

#include "eval/truth.h"
#include "model/finding.h"
#include "sandbox/fork_server.h"
#include "sandbox/outcome.h"
#include "sandbox/request.h"

namespace kbx::eval {

// Places in truth.cases, ascending, at most three: the first case, the one with most programs, the first outlier case.
// `programs`: how many programs each case launched in the first run. Cases that must raise are left out.
std::vector<size_t> second_look_cases(const TaskTruth& truth, const std::vector<int64_t>& programs);

// What one outcome says. steps[k] of it answers truth.cases[cases[k]]; `known`: findings of the first run.
struct Sighting {
  std::vector<Finding> findings;
  bool whole = true;    // every call returned
  bool differs = false; // some value is wrong
};
Sighting sight(const Task& task, const TaskTruth& truth, const std::vector<size_t>& cases, const sandbox::Outcome& out, const std::vector<Finding>& known);

// `ask`: the value request of the first run; its steps, order and strictness are replaced. A second process tells the two
// causes apart where the first could not: plain tensors, reverse order. A failing harness is a note as well.
std::vector<Finding> second_look(sandbox::ForkServer& server, sandbox::Request ask, const Task& task, const TaskTruth& truth, const std::vector<size_t>& cases,
                                 const std::vector<Finding>& known);

}  // namespace kbx::eval
