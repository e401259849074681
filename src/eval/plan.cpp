#include "eval/plan.h"

#include <algorithm>

#include "base/hash.h"
#include "model/version.h"

namespace kbx::eval {

Job plan(Candidate candidate, const Task* task, int64_t ordinal, const EvalConfig& config) {
  Job job;
  job.key = FieldHash()
                .add(candidate.id)
                .add(candidate.task)
                .add(task ? task->version : "")
                .add(candidate.source)
                .add(candidate.entry)
                .add(config.fingerprint())
                .add(kEngineVersion)
                .hex();
  job.candidate = std::move(candidate);
  job.task = task;
  job.ordinal = ordinal;
  return job;
}

std::vector<std::string> accepted_entries(const Candidate& candidate, const Task& task) {
  std::vector<std::string> names;
  for (const std::string& name : {candidate.entry, task.entry.name, task.name})
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  for (const std::string& name : task.aliases)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  names.push_back("kernel_function");
  return names;
}

}  // namespace kbx::eval
