#include "cli/tasks_check.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <thread>

#include "cli/exit_code.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "cli/card_session.h"
#include "eval/prove.h"
#include "report/text_table.h"

namespace kbx::cli {
namespace {

Json traffic_json(const eval::TrafficRow& r) {
  return {{"case", r.case_name}, {"agreement", to_text(r.agreement)}, {"problem", r.problem}, {"formula_bytes", r.formula.bytes}, {"tensor_bytes", r.sizes.sum()},
          {"counted_bytes_least", r.counted.least}, {"counted_bytes_most", r.counted.most}, {"copied_bytes", r.counted.copied}, {"distinct_bytes", r.counted.distinct},
          {"accessed_bytes", r.counted.accessed}, {"formula_flops", r.formula.flops}, {"counted_flops", r.counted.flops}, {"unit", r.formula.unit}};
}

std::string times(double part, double whole) { return whole > 0 ? fmt::format("x{:.2f}", part / whole) : "-"; }

// One row a case: the formula against what the witness moved.
std::string traffic_table(const std::vector<eval::TaskProofs>& all) {
  using Align = report::TextTable::Align;
  report::TextTable table({{"task"}, {"case"}, {"formula", Align::right}, {"tensors", Align::right}, {"counted", Align::right}, {"copied", Align::right}, {"distinct", Align::right},
                           {"accessed", Align::right}, {"flops", Align::right}, {"counted", Align::right}, {"ratio", Align::right}, {"agreement"}});
  std::map<std::string, int> agreements;
  auto whole = [](double v) { return fmt::format("{:.0f}", v); };
  for (const auto& t : all)
    for (const auto& r : t.traffic) {
      agreements[std::string(to_text(r.agreement))]++;
      std::string counted = r.counted.least == r.counted.most ? whole(r.counted.least) : whole(r.counted.least) + ".." + whole(r.counted.most);
      table.add({t.category + "/" + t.task, r.case_name, whole(r.formula.bytes), whole(r.sizes.sum()), counted, whole(r.counted.copied), times(r.counted.distinct, r.formula.bytes),
                 times(r.counted.accessed, r.formula.bytes), whole(r.formula.flops), whole(r.counted.flops), times(r.counted.flops, r.formula.flops), std::string(to_text(r.agreement))});
    }
  std::string out = table.text();
  for (const auto& [name, n] : agreements) out += fmt::format("{} {}\n", n, name);
  return out;
}

Json proofs_json(const eval::TaskProofs& t) {
  Json proofs = Json::object();
  for (const auto& p : t.proofs) proofs[p.name] = {{"ok", p.ok}, {"figure", p.figure}, {"detail", p.detail}};
  Json traffic = Json::array();
  for (const auto& r : t.traffic) traffic.push_back(traffic_json(r));
  return {{"task", t.task}, {"category", t.category}, {"ok", t.ok()}, {"seconds", t.seconds}, {"proofs", proofs}, {"traffic", traffic}};
}

// Tasks on several threads, results in the order of the tasks.
Result<std::vector<eval::TaskProofs>> prove_all(sandbox::ForkServer& server, eval::CardBench* cards, const std::vector<const Task*>& tasks, const eval::EvalConfig& config,
                                                const CheckOptions& options) {
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
      auto proofs = options.costs ? eval::prove_costs(server, *tasks[k], config) : eval::prove(server, *tasks[k], config, options.seeds, cards);
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
  if (settings.text("device") == "auto") config.card.reset();  // a card is asked for by name here
  KBX_TRY_ASSIGN(auto cards, CardSession::open(settings, server->facts(), *server, config, options.json));
  KBX_TRY_ASSIGN(auto all, prove_all(*server, cards->bench(), tasks, config, options));
  bool ok = true;
  report::TextTable table({{"task"}, {"reference"}, {"cases"}, {"witness"}, {"mutants"}, {"nulls"}, {"inputs matter"}, {"cost"}, {"traffic"}, {"perf"}});
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
    table.add({t.category + "/" + t.task, cell("reference"), cell("cases"), cell("witness"), cell("mutants"), cell("nulls"), cell("inputs matter"), cell("cost"), cell("traffic"), cell("perf sizes")});
    for (const auto& p : t.proofs)
      if (!p.ok) details += fmt::format("{}/{}: {}: {}\n", t.category, t.task, p.name, p.detail);
  }
  if (!options.json) print("\n" + (options.costs ? traffic_table(all) : table.text()) + (details.empty() ? "" : "\n" + details));
  return ok ? kEvaluated : kGateFailed;
}

}  // namespace kbx::cli
