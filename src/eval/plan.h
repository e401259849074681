// plan: a candidate becomes a job, purely. Two runs with equal keys must end with equal verdicts.
#pragma once
#include <string>
#include <vector>

#include "eval/config.h"
#include "model/candidate.h"
#include "model/record.h"
#include "model/task.h"

namespace kbx::eval {

struct Job {
  Candidate candidate;
  const Task* task = nullptr;  // null: not in the suite
  int64_t ordinal = 0;
  std::string key;             // SHA-256
};

// The key covers the candidate's id (samples never overwrite one another), task and its version, source, entry, the
// config's fingerprint and the engine's version.
Job plan(Candidate candidate, const Task* task, int64_t ordinal, const EvalConfig& config);

// The job's record before anything is known: what is judged and under which circumstances, with intake's findings.
Record blank_record(const Job& job, const EvalConfig& config);

// Names under which a candidate may define the task's function, the preferred one first: its own `entry`, the task's
// entry, name and aliases, "kernel_function".
std::vector<std::string> accepted_entries(const Candidate& candidate, const Task& task);

}  // namespace kbx::eval
