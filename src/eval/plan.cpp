#include "eval/plan.h"

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

}  // namespace kbx::eval
