#include "stats/task_means.h"

#include <vector>

#include "stats/pass_at_k.h"

namespace kbx::stats {

std::optional<Estimate> task_mean(std::span<const double> per_task, const BootstrapPlan& plan) {
  auto mean = [&](std::span<const size_t> chosen) -> std::optional<std::vector<double>> {
    double sum = 0;
    for (size_t k : chosen) sum += per_task[k];
    return std::vector<double>{sum / double(chosen.size())};
  };
  auto results = cluster_bootstrap(per_task.size(), mean, plan);
  if (results.empty()) return std::nullopt;
  return Estimate{results[0].value, results[0].bca};
}

std::optional<PassAtK> mean_pass_at_k(std::span<const TaskSamples> tasks, int64_t k, const BootstrapPlan& plan) {
  PassAtK out;
  out.k = k;
  std::vector<double> per_task;
  for (const TaskSamples& t : tasks) {
    if (auto p = pass_at_k(t.samples, t.correct, k)) per_task.push_back(*p);
    else out.left_out++;
  }
  out.tasks = int64_t(per_task.size());
  auto mean = task_mean(per_task, plan);
  if (!mean) return std::nullopt;
  out.mean = *mean;
  return out;
}

}  // namespace kbx::stats
