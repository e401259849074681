#include "eval/second_look.h"

#include <fmt/format.h>

#include <algorithm>

#include "eval/candidate_charges.h"
#include "eval/evidence.h"
#include "eval/roots.h"
#include "sandbox/run.h"

namespace kbx::eval {
namespace {

Finding note(std::string message) { return {Layer::run, "second_look", Severity::note, std::move(message), 0, 0}; }

Finding of_error(const sandbox::WorkerError& e, const std::string& where) {
  // charge_of_error has the wording; the charge itself goes nowhere.
  Charge said = charge_of_error(e, where);
  if (e.kind == "strict_device") return {Layer::run, "strict_device", Severity::warn, "a GPU would raise here: " + said.explanation, e.line, 0};
  return note("not looked at twice: " + said.explanation);
}

bool same_place(const Finding& a, const Finding& b) { return a.rule == b.rule && a.line == b.line; }

class Reader {
 public:
  Reader(const Task& task, const TaskTruth& truth, const std::vector<Finding>& known) : task_(task), truth_(truth), known_(known) {}

  Sighting read(const std::vector<size_t>& cases, const sandbox::Outcome& out) {
    if (out.load_error) {
      add(of_error(*out.load_error, "import"));
      seen_.whole = false;
      return std::move(seen_);
    }
    for (size_t k = 0; k < cases.size() && k < out.steps.size(); k++) step(truth_.cases[cases[k]], out.steps[k]);
    if (out.fate != sandbox::Fate::finished) add(note("not looked at twice: " + (out.note.empty() ? std::string(to_text(out.fate)) : out.note)));
    seen_.whole &= out.steps.size() == cases.size() && out.fate == sandbox::Fate::finished;
    return std::move(seen_);
  }

 private:
  // One finding a rule and line: three cases say the same thing three times.
  void add(Finding f) {
    auto same = [&](const Finding& o) { return same_place(o, f); };
    if (std::none_of(seen_.findings.begin(), seen_.findings.end(), same)) seen_.findings.push_back(std::move(f));
  }

  void step(const CaseTruth& c, const sandbox::StepResult& s) {
    for (Finding f : s.findings) {
      bool counts = f.rule == "strict_device" || (f.severity == Severity::reject && f.rule != "time_limit");
      if (!counts || std::any_of(known_.begin(), known_.end(), [&](const Finding& o) { return same_place(o, f); })) continue;
      f.severity = Severity::warn;
      f.message = fmt::format("{}, second look: {}", place(c), f.message);
      add(std::move(f));
    }
    if (s.error) add(of_error(*s.error, place(c)));
    seen_.whole &= s.ok;
    if (!s.ok) return;
    auto changed = mutated_roots(s.mutated);
    for (const auto& [root, expected] : c.roots) {
      judge::Evidence e = evidence_for(task_, c, root, expected);
      e.got = root == "result" ? &s.result : &changed[root];
      for (const Judgements& j : judge::judge_result(e)) {
        if (j.kbx.verdict == Verdict::correct) continue;
        seen_.differs = true;
        add({Layer::ir, "order_dependent", Severity::warn, fmt::format("{}: wrong when the programs run in reverse order: {}", place(c), j.kbx.explanation), 0, 0});
      }
    }
  }

  const Task& task_;
  const TaskTruth& truth_;
  const std::vector<Finding>& known_;
  Sighting seen_;
};

bool about_order(const Finding& f) { return f.rule == "order_dependent"; }

}  // namespace

std::vector<size_t> second_look_cases(const TaskTruth& truth, const std::vector<int64_t>& programs) {
  std::vector<size_t> out;
  auto fits = [&](size_t k) { return truth.cases[k].which->raises.empty() && std::find(out.begin(), out.end(), k) == out.end(); };
  auto take_first = [&](auto&& wanted) {
    for (size_t k = 0; k < truth.cases.size(); k++)
      if (fits(k) && wanted(k)) return out.push_back(k);
  };
  int64_t most = 0;
  for (size_t k = 0; k < truth.cases.size() && k < programs.size(); k++)
    if (truth.cases[k].which->raises.empty()) most = std::max(most, programs[k]);
  take_first([](size_t) { return true; });
  if (out.empty() || out.front() >= programs.size() || programs[out.front()] < most)
    take_first([&](size_t k) { return k < programs.size() && programs[k] == most && most > 0; });
  bool outlier = std::any_of(out.begin(), out.end(), [&](size_t k) { return truth.cases[k].phase == "outlier"; });
  if (!outlier) take_first([&](size_t k) { return truth.cases[k].phase == "outlier"; });
  std::sort(out.begin(), out.end());
  return out;
}

Sighting sight(const Task& task, const TaskTruth& truth, const std::vector<size_t>& cases, const sandbox::Outcome& out, const std::vector<Finding>& known) {
  return Reader(task, truth, known).read(cases, out);
}

std::vector<Finding> second_look(sandbox::ForkServer& server, sandbox::Request ask, const Task& task, const TaskTruth& truth, const std::vector<size_t>& cases,
                                 const std::vector<Finding>& known) {
  ask.steps.clear();
  for (size_t k : cases) {
    const CaseTruth& c = truth.cases[k];
    sandbox::CallStep step;
    step.call = &c.call;
    step.names = &c.names;
    step.mutates = task.mutates;
    ask.steps.push_back(std::move(step));
  }
  ask.order = "reverse";
  ask.strict = true;
  auto out = sandbox::run(server, ask);
  if (!out) return {note(out.error().text())};
  Sighting strict = sight(task, truth, cases, *out, known);
  if (strict.whole && !strict.differs) return strict.findings;

  // Is it the order, or the tensors? What plain tensors say about the order stands; device tensors cannot tell.
  ask.strict = false;
  auto again = sandbox::run(server, ask);
  if (!again) return {note(again.error().text())};
  Sighting plain = sight(task, truth, cases, *again, known);
  auto& findings = strict.findings;
  findings.erase(std::remove_if(findings.begin(), findings.end(), about_order), findings.end());
  if (strict.differs && !plain.differs) findings.push_back(note("the values differ under device tensors only"));
  for (Finding& f : plain.findings)
    if (std::none_of(findings.begin(), findings.end(), [&](const Finding& o) { return same_place(o, f); })) findings.push_back(std::move(f));
  return std::move(strict.findings);
}

}  // namespace kbx::eval
