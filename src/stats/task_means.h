// A mean over tasks with an interval by the bootstrap over tasks (bootstrap.h): the tasks are the sample, not the
// candidates. And pass@k so.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "stats/bootstrap.h"
#include "stats/interval.h"

namespace kbx::stats {

// BCa interval of the mean of one figure a task. Nothing with fewer than three tasks.
std::optional<Estimate> task_mean(std::span<const double> per_task, const BootstrapPlan& plan);

struct TaskSamples {
  int64_t samples = 0, correct = 0;
};
struct PassAtK {
  int64_t k = 0, tasks = 0;      // tasks with at least k samples: the others say nothing about k and are left out
  int64_t left_out = 0;
  Estimate mean;                 // of the tasks' unbiased pass@k (pass_at_k.h)
};
// Nothing with fewer than three tasks that have k samples.
std::optional<PassAtK> mean_pass_at_k(std::span<const TaskSamples> tasks, int64_t k, const BootstrapPlan& plan);

}  // namespace kbx::stats
