#include "eval/prove.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/clock.h"
#include "base/text.h"
#include "eval/inputs_matter.h"
#include "eval/job.h"
#include "eval/nulls.h"
#include "eval/untried_inputs.h"
#include "suite/expression.h"
#include "suite/inputs.h"

namespace kbx::eval {
namespace {

Record judge_source(const Bench& bench, const Task& task, const std::string& source, const std::string& entry, const std::string& id) {
  Candidate c;
  c.id = id;
  c.task = task.name;
  c.entry = entry;
  c.source = source;
  c.how = "whole";
  return run_job(plan(std::move(c), &task, 0, bench.config), bench);
}

// Rejected for what the values show; an exception or a crash would prove nothing.
bool rejected_by_values(Verdict v) {
  return v == Verdict::wrong_structure || v == Verdict::mutated_input || v == Verdict::unwritten_output || v == Verdict::wrong_value || v == Verdict::wrong_value_outlier ||
         v == Verdict::contract_violation || v == Verdict::nondeterministic;
}

Proof witness_proof(sandbox::ForkServer& server, const Task& task, EvalConfig config, int seeds, CardBench* cards) {
  Proof p{"witness", true, "", ""};
  if (task.witness.empty()) return {"witness", false, "absent", "no witness.py: an open problem"};
  config.second_look = false;  // nothing here reads warnings
  int right = 0;
  for (int k = 0; k < seeds; k++) {
    config.compile = k == 0;  // acceptance does not depend on the seed
    TruthCache truths(server, config);
    Record r = judge_source({server, truths, config, cards}, task, task.witness, "", "witness");
    if (r.verdict == Verdict::correct) right++;
    else if (p.ok) p.detail = fmt::format("seed {}: {}: {}", config.seed, to_text(r.verdict), r.explanation), p.ok = false;
    config.seed++;
  }
  p.figure = fmt::format("{}/{} seeds", right, seeds);
  return p;
}

Proof mutants_proof(sandbox::ForkServer& server, TruthCache& truths, EvalConfig config, const Task& task) {
  config.lint = config.compile = config.delegation = config.replay = config.second_look = false;
  config.card.reset();  // by values alone
  auto names = mutant_names(task.mutants);
  Proof p{"mutants", names.size() >= 4, "", names.size() < 4 ? "fewer than 4 mutants\n" : ""};
  size_t rejected = 0;
  for (const std::string& name : names) {
    Record r = judge_source({server, truths, config}, task, task.mutants, name, "mutant " + name);
    if (rejected_by_values(r.verdict)) rejected++;
    else p.ok = false, p.detail += fmt::format("{}: {} {}\n", name, to_text(r.verdict), r.explanation);
  }
  p.figure = fmt::format("{}/{}", rejected, names.size());
  return p;
}

Proof cases_proof(const Task& task, const TaskTruth* truth) {
  Proof p{"cases", true, std::to_string(task.cases.size()), ""};
  if (task.cases.size() < 6) p.ok = false, p.detail = "fewer than 6 cases\n";
  for (const Parameter& param : task.entry.parameters) {
    if (!param.default_text) continue;
    bool used = std::any_of(task.cases.begin(), task.cases.end(), [&](const Case& c) { return c.args.count(param.name) > 0; });
    if (!used) p.ok = false, p.detail += "no case gives " + param.name + "\n";
  }
  if (truth)
    for (const std::string& gap : untried_inputs(task, *truth)) p.ok = false, p.detail += gap + "\n";
  return p;
}

// On the perf sizes, where the formulas are used; no bytes are drawn for it.
Proof cost_proof(const Task& task) {
  Proof p{"cost", true, "", ""};
  for (const Case& c : task.perf) {
    auto call = suite::outline_call(task, c);
    if (!call) return {"cost", false, "", call.error().text()};
    for (const std::string& text : {task.cost.bytes, task.cost.flops}) {
      auto v = suite::evaluate(text, task.entry, *call);
      if (!v) p.ok = false, p.detail = fmt::format("perf {}: {}: {}", c.name, text, v.error().message);
      else if (*v < 0 || (*v == 0 && text == task.cost.bytes)) p.ok = false, p.detail = fmt::format("perf {}: {} is {}", c.name, text, *v);
    }
  }
  return p;
}

// Do the formulas say what the witness moves?
Proof traffic_proof(const std::vector<TrafficRow>& rows) {
  Proof p{"traffic", true, "", ""};
  size_t equal = 0;
  for (const TrafficRow& row : rows) {
    equal += row.agreement == Agreement::equal;
    if (row.agreement != Agreement::wrong) continue;
    p.ok = false;
    p.detail += fmt::format("case {}: {}\n", row.case_name, row.problem);
  }
  // Where values cut the work short a witness may need less; in the largest case it does not.
  auto largest = std::max_element(rows.begin(), rows.end(), [](const TrafficRow& a, const TrafficRow& b) { return a.formula.flops < b.formula.flops; });
  if (largest != rows.end() && largest->counted.flops < largest->formula.flops * (1 - 1e-9)) {
    p.ok = false;
    p.detail += fmt::format("case {}: the formula says {:.0f} flops, the witness needed {:.0f}\n", largest->case_name, largest->formula.flops, largest->counted.flops);
  }
  p.figure = fmt::format("{}/{} equal", equal, rows.size());
  return p;
}

Proof perf_proof(const Task& task) {
  Proof p{"perf sizes", task.perf.size() >= 3, std::to_string(task.perf.size()), task.perf.size() < 3 ? "fewer than 3 perf sizes" : ""};
  bool odd = false;
  auto visit = [&](auto&& self, const ArgSpec& a) -> void {
    if (a.kind == ArgSpec::Kind::tensor)
      for (int64_t d : a.tensor.shape) odd |= d > 128 && d % 128 != 0;
    for (const ArgSpec& item : a.items) self(self, item);
    if (a.kind == ArgSpec::Kind::integer) odd |= a.integer > 128 && a.integer % 128 != 0;
  };
  for (const Case& c : task.perf)
    for (const auto& [name, a] : c.args) visit(visit, a);
  if (!odd) p.ok = false, p.detail += " no perf size off the multiples of 128";
  return p;
}

}  // namespace

bool TaskProofs::ok() const {
  return std::all_of(proofs.begin(), proofs.end(), [](const Proof& p) { return p.ok; });
}

std::vector<std::string> mutant_names(const std::string& source) {
  std::vector<std::string> out;
  for (const std::string& line : split_lines(source)) {
    if (!starts_with(line, "def ")) continue;
    std::string name = trim(line.substr(4, line.find('(') - 4));
    if (!name.empty() && name[0] != '_') out.push_back(name);
  }
  return out;
}

Result<TaskProofs> prove(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, int seeds, CardBench* cards) {
  auto start = Steady::now();
  TaskProofs out{task.name, task.category, {}, {}, 0};
  TruthCache truths(server, config);
  auto truth = truths.get(task);
  out.proofs.push_back({"reference", bool(truth), truth ? std::to_string((*truth)->cases.size()) + " calls" : "", truth ? "" : truth.error().text()});
  out.proofs.push_back(cases_proof(task, truth ? truth->get() : nullptr));
  if (truth) {
    out.proofs.push_back(witness_proof(server, task, config, seeds, cards));
    out.proofs.push_back(mutants_proof(server, truths, config, task));
    auto passing = passing_nulls(task, **truth);
    std::string list;
    for (const auto& n : passing) list += (list.empty() ? "" : ", ") + n;
    out.proofs.push_back({"nulls", passing.empty(), fmt::format("{}/{}", null_battery().size() - passing.size(), null_battery().size()), passing.empty() ? "" : "accepted: " + list});
    KBX_TRY_ASSIGN(auto idle, idle_inputs(server, task, config, **truth));
    KBX_TRY_ASSIGN(auto masked, masked_inputs(server, task, config, **truth));
    KBX_TRY_ASSIGN(auto flat, ignorable_strides(server, task, config, **truth));
    Proof p{"inputs matter", idle.empty() && masked.empty() && flat.empty(), fmt::format("{}/{}", task.entry.parameters.size() - idle.size(), task.entry.parameters.size()), ""};
    for (const auto& n : idle) p.detail += "changing it changes nothing: " + n + "\n";
    for (const auto& n : masked) p.detail += n + "\n";
    for (const auto& n : flat) p.detail += "its strides may be ignored: " + n + "\n";
    out.proofs.push_back(std::move(p));
  }
  out.proofs.push_back(cost_proof(task));
  if (truth && !task.witness.empty()) {
    KBX_TRY_ASSIGN(out.traffic, witness_traffic(server, task, config, **truth));
    out.proofs.push_back(traffic_proof(out.traffic));
  }
  out.proofs.push_back(perf_proof(task));
  out.seconds = seconds_since(start);
  return out;
}

Result<TaskProofs> prove_costs(sandbox::ForkServer& server, const Task& task, const EvalConfig& config) {
  auto start = Steady::now();
  TaskProofs out{task.name, task.category, {}, {}, 0};
  KBX_TRY_ASSIGN(TaskTruth truth, compute_truth(server, task, config));
  out.proofs.push_back(cost_proof(task));
  if (!task.witness.empty()) {
    KBX_TRY_ASSIGN(out.traffic, witness_traffic(server, task, config, truth));
    out.proofs.push_back(traffic_proof(out.traffic));
  }
  out.seconds = seconds_since(start);
  return out;
}

}  // namespace kbx::eval
