#include "cli/tasks_check.h"

#include <fmt/format.h>

#include <mutex>
#include <thread>

#include "cli/exit_code.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "eval/prove.h"
#include "report/text_table.h"

namespace kbx::cli {
namespace {

Json proofs_json(const eval::TaskProofs& t) {
  Json proofs = Json::object();
  for (const auto& p : t.proofs) proofs[p.name] = {{"ok", p.ok}, {"figure", p.figure}, {"detail", p.detail}};
  return {{"task", t.task}, {"category", t.category}, {"ok", t.ok()}, {"seconds", t.seconds}, {"proofs", proofs}};
}

// Tasks on several threads, results in the order of the tasks.
Result<std::vector<eval::TaskProofs>> prove_all(sandbox::ForkServer& server, const std::vector<const Task*>& tasks, const eval::EvalConfig& config, int seeds) {
  std::vector<eval::TaskProofs> out(tasks.size());
  std::mutex mutex;
  size_t next = 0, done = 0;
  std::optional<Error> failure;
  auto work = [&] {
    for (;;) {
      size_t k;
      {
        std::lock_guard lock(mutex);
        if (failure || next == tasks.size()) return;
        k = next++;
      }
      auto proofs = eval::prove(server, *tasks[k], config, seeds);
      std::lock_guard lock(mutex);
      if (!proofs) {
        failure = with_context(proofs.error(), "checking " + tasks[k]->name);
        return;
      }
      out[k] = std::move(*proofs);
      say(fmt::format("[{}/{}] {} {} ({:.1f} s)", ++done, tasks.size(), out[k].ok() ? "ok    " : "FAILED", out[k].task, out[k].seconds));
    }
  };
  {
    std::vector<std::jthread> crew;
    for (int k = 0; k < config.jobs; k++) crew.emplace_back(work);
  }
  if (failure) return tl::unexpected(*failure);
  return out;
}

}  // namespace

Result<int> check_tasks(const Settings& settings, const std::vector<const Task*>& tasks, const CheckOptions& options) {
  KBX_TRY_ASSIGN(eval::EvalConfig config, make_config(settings));
  config.seed = 1;
  KBX_TRY_ASSIGN(auto server, start_workers(settings, options.json));
  KBX_TRY_ASSIGN(auto all, prove_all(*server, tasks, config, options.seeds));
  bool ok = true;
  report::TextTable table({{"task"}, {"reference"}, {"cases"}, {"witness"}, {"mutants"}, {"nulls"}, {"inputs matter"}, {"cost"}, {"perf"}});
  std::string details;
  for (const auto& t : all) {
    ok &= t.ok();
    if (options.json) {
      print(dump_json(proofs_json(t)) + "\n");
      continue;
    }
    auto cell = [&](const char* name) -> std::string {
      for (const auto& p : t.proofs)
        if (p.name == name) return (p.ok ? "✓ " : "✗ ") + p.figure;
      return "-";
    };
    table.add({t.category + "/" + t.task, cell("reference"), cell("cases"), cell("witness"), cell("mutants"), cell("nulls"), cell("inputs matter"), cell("cost"), cell("perf sizes")});
    for (const auto& p : t.proofs)
      if (!p.ok) details += fmt::format("{}/{}: {}: {}\n", t.category, t.task, p.name, p.detail);
  }
  if (!options.json) print("\n" + table.text() + (details.empty() ? "" : "\n" + details));
  return ok ? kEvaluated : kGateFailed;
}

}  // namespace kbx::cli
