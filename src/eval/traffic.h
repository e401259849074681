// Traffic: the witness of a task counted on the machine against the task's [cost] formulas, case by case
// (docs/task_format.md, "What the formulas are held against").
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "eval/truth.h"
#include "model/measurement.h"
#include "sandbox/outcome.h"

namespace kbx::eval {

// Bytes of the call's own tensors, each once: inputs (what an expanded dim repeats counts once; tensors that are only
// written do not count), results, and mutated arguments that the call changes or a launch stored to (a result that is
// an argument counts once).
struct CallSizes {
  double inputs = 0, outputs = 0;
  double sum() const { return inputs + outputs; }
};
CallSizes call_sizes(const Task& task, const CaseTruth& truth, const sandbox::StepResult& step);

// What a call's launches did to the call's own tensors.
struct Counted {
  double least = 0, most = 0;  // distinct bytes read of inputs and written to outputs. Where several launches share a
                               // tensor their union is only known to lie between these
  double copied = 0;           // bytes of inputs and outputs that no launch touched: library operators moved them
  double accessed = 0;         // all bytes of all launches, every time they are asked for
  double distinct = 0;         // sum over launches of distinct bytes, intermediate buffers included
  double flops = 0;
};
Counted count_call(const Task& task, const CaseTruth& truth, const sandbox::StepResult& step);

enum class Agreement : unsigned char { equal, copied, unread, data, wrong };
std::string_view to_text(Agreement a);

struct TrafficRow {
  std::string case_name, problem;  // problem: why it is wrong, in words
  CallCost formula;
  CallSizes sizes;
  Counted counted;
  Agreement agreement = Agreement::wrong;
};
// Pure: the rule of docs/task_format.md.
TrafficRow compare_traffic(const Task& task, const CaseTruth& truth, const sandbox::StepResult& step);

// Runs the witness once over every standard case. Cases that must raise are left out.
Result<std::vector<TrafficRow>> witness_traffic(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, const TaskTruth& truth);

}  // namespace kbx::eval
