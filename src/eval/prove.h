// prove(): everything a task has to prove before it may judge anyone (docs/task_format.md): it can be solved, and wrong
// solutions fail it.
#pragma once
#include <string>
#include <vector>

#include "eval/config.h"
#include "eval/traffic.h"
#include "model/task.h"
#include "sandbox/fork_server.h"

namespace kbx::eval {

struct CardBench;  // eval/on_card.h

struct Proof {
  std::string name;    // "reference", "witness", "mutants", "nulls", "inputs matter", "cases", "cost", "traffic", "perf sizes"
  bool ok = false;
  std::string figure;  // "5/5", "20 seeds"
  std::string detail;  // what failed, one line each; "" when ok
};

struct TaskProofs {
  std::string task, category;
  std::vector<Proof> proofs;
  std::vector<TrafficRow> traffic;  // a row for each case that returns
  double seconds = 0;
  bool ok() const;
};

// `config.seed` is the first of `seeds` seeds. `cards`: with EvalConfig::card, else null. An Error means the harness failed.
Result<TaskProofs> prove(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, int seeds, CardBench* cards);

// The reference and the traffic proof alone: what `kbx tasks check --costs` asks for.
Result<TaskProofs> prove_costs(sandbox::ForkServer& server, const Task& task, const EvalConfig& config);

// Names of the faults in mutants.py: top-level functions whose name does not start with "_".
std::vector<std::string> mutant_names(const std::string& source);

}  // namespace kbx::eval
