#include "eval/plan.h"

#include <algorithm>

#include "base/clock.h"
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

Record blank_record(const Job& job, const EvalConfig& config) {
  Record r;
  r.job_key = job.key;
  r.ordinal = job.ordinal;
  r.candidate = job.candidate.id;
  r.task = job.candidate.task;
  r.sample = job.candidate.sample;
  r.how = job.candidate.how;
  r.device = config.device;
  r.seed = config.seed;
  r.engine_version = kEngineVersion;
  r.started = utc_now();
  r.findings = job.candidate.findings;
  return r;
}

}  // namespace kbx::eval
