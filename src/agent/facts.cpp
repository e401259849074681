// Task -> words.
#include "agent/facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "suite/prompt.h"

namespace kbx::agent {
namespace {

std::string points(const std::vector<std::string>& list) {
  std::string out;
  for (const std::string& point : list) out += (out.empty() ? "- " : "\n- ") + point;
  return out;
}

std::string trimmed_end(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

TaskFacts facts_of(const Task& task, std::string device) {
  TaskFacts out;
  out.task = task.name;
  out.target.names.push_back(task.entry.name);
  if (task.name != task.entry.name) out.target.names.push_back(task.name);
  for (const std::string& alias : task.aliases) out.target.names.push_back(alias);
  out.description = fmt::format("{}\n{}\n{}", task.entry.name, task.summary, fmt::join(task.contract, "\n"));
  suite::PromptParts parts = suite::prompt_parts(task);
  out.fields = {{"task", task.name},
                {"title", parts.title},
                {"function", task.entry.name},
                {"signature", parts.signature},
                {"entry", trimmed_end(parts.entry)},
                {"summary", task.summary},
                {"contract", points(task.contract)},
                {"numerics", points(parts.numerics)},
                {"judged", points(parts.judged)},
                {"rules", points(parts.rules)},
                {"dtypes", fmt::format("{}", fmt::join(parts.dtypes, ", "))},
                {"device", std::move(device)}};
  return out;
}

std::string device_text(const GpuSpec* gpu) {
  if (gpu == nullptr) return "";
  std::string out = fmt::format("{} (sm_{}), {} multiprocessors, {:.0f} GB/s of memory bandwidth", gpu->name, gpu->arch, gpu->sms, gpu->bandwidth / 1e9);
  if (gpu->l2) out += fmt::format(", {} MiB of L2", *gpu->l2 >> 20);
  out += fmt::format(", at most {} KiB of shared memory a block.", gpu->shared_per_block >> 10);
  std::vector<std::string> peaks;
  for (size_t k = 0; k < kUnits; k++)
    if (gpu->peak[k]) peaks.push_back(fmt::format("{} {:.0f}", to_text(Unit(k)), *gpu->peak[k] / 1e12));
  if (!peaks.empty()) out += fmt::format(" Dense peaks in tera-operations a second: {}.", fmt::join(peaks, ", "));
  return out;
}

}  // namespace kbx::agent
