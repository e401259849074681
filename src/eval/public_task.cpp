#include "eval/public_task.h"

#include <algorithm>

#include "eval/inputs_matter.h"
#include "eval/truth.h"
#include "suite/public_variant.h"

namespace kbx::eval {
namespace {

Task fewer_cases(Task task) {
  std::vector<size_t> chosen = spread_order(task.cases.size(), kPublicCases);
  chosen.resize(std::min(chosen.size(), kPublicCases));
  std::sort(chosen.begin(), chosen.end());
  std::vector<Case> cases;
  for (size_t k : chosen) cases.push_back(std::move(task.cases[k]));
  task.cases = std::move(cases);
  return task;
}

}  // namespace

EvalConfig public_config(EvalConfig config) {
  config.seed = suite::public_seed(config.seed);
  config.card.reset();
  config.device = "cpu";
  return config;
}

Task public_task(const Task& task, sandbox::ForkServer& server, const EvalConfig& config) {
  Task variant = fewer_cases(suite::public_variant(task));
  return compute_truth(server, variant, config) ? variant : fewer_cases(suite::redrawn_variant(task));
}

}  // namespace kbx::eval
