#include "eval/candidate_charges.h"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace kbx::eval {
namespace {

struct ErrorKind {
  std::string_view kind;
  Verdict verdict;
};
constexpr std::array<ErrorKind, 9> kErrorKinds{{{"syntax_error", Verdict::syntax_error},
                                                {"import_error", Verdict::import_error},
                                                {"entry_missing", Verdict::entry_missing},
                                                {"compile_error", Verdict::compile_error},
                                                {"runtime_error", Verdict::runtime_error},
                                                {"illegal_memory_access", Verdict::illegal_memory_access},
                                                {"timeout", Verdict::timeout},
                                                {"out_of_memory", Verdict::out_of_memory},
                                                {"not_judged", Verdict::not_judged}}};

// Errors that the jail causes: a read-only file system, forbidden calls, no network, too many processes.
bool jail_error(const sandbox::WorkerError& e) {
  if (e.kind != "runtime_error" && e.kind != "import_error") return false;
  if (e.type == "PermissionError" || e.type == "BlockingIOError") return true;
  if (e.type != "OSError" && e.type != "gaierror" && e.type != "ConnectionError") return false;
  for (const char* mark : {"[Errno 30]", "[Errno 1]", "[Errno 13]", "[Errno 101]", "[Errno -2]", "[Errno -3]", "[Errno 27]"})
    if (e.message.find(mark) != e.message.npos) return true;
  return false;
}

// Rules of the machine and what they mean for the verdict; the rest stays a finding.
struct FindingRule {
  std::string_view rule;
  Verdict verdict;
};
constexpr std::array<FindingRule, 6> kFindingRules{{{"out_of_bounds", Verdict::illegal_memory_access},
                                                    {"misaligned", Verdict::illegal_memory_access},
                                                    {"grid_limit", Verdict::runtime_error},
                                                    {"time_limit", Verdict::timeout},
                                                    {"data_race", Verdict::data_race},
                                                    {"double_store", Verdict::data_race}}};

// Raised as the case asks: the class of that name, or one derived from it. What the machine refused is no derived one.
bool raised(const sandbox::WorkerError& e, const std::string& wanted) {
  return e.type == wanted || (e.kind == "runtime_error" && std::find(e.bases.begin(), e.bases.end(), wanted) != e.bases.end());
}

}  // namespace

std::string place(const CaseTruth& t) {
  std::string_view phase = t.phase == "outlier" ? " (outlier inputs)" : t.phase == "repeat" ? " (again, other inputs)" : "";
  return fmt::format("case {}{}", t.which->name, phase);
}

bool counts_for_paper(const CaseTruth& t) { return t.which->published && t.phase != "repeat"; }

Charge charge_of_error(const sandbox::WorkerError& e, const std::string& where, bool paper) {
  Charge c;
  c.verdict = Verdict::runtime_error;
  for (const auto& row : kErrorKinds)
    if (row.kind == e.kind) c.verdict = row.verdict;
  if (jail_error(e)) c.verdict = Verdict::sandbox_violation;
  c.paper = paper;
  c.line = e.line;
  std::string message = e.message.size() > 600 ? e.message.substr(0, 300) + " ... " + e.message.substr(e.message.size() - 280) : e.message;
  c.explanation = fmt::format("{}: {}{}{}", where, e.type, e.type.empty() || message.empty() ? "" : ": ", clean_utf8(message));
  return c;
}

std::vector<Charge> charges_of_process(const sandbox::Outcome& out) {
  using sandbox::Fate;
  if (out.load_error) {
    Charge c = charge_of_error(*out.load_error, "import");
    if (c.verdict == Verdict::runtime_error) c.verdict = Verdict::import_error;
    return {c};
  }
  switch (out.fate) {
    case Fate::finished: return {};
    case Fate::timeout: return {{Verdict::timeout, out.note, true, 0}};
    case Fate::babbled: return {{Verdict::crashed, "the process " + out.note, true, 0}};
    case Fate::exited:
      return {{Verdict::crashed, fmt::format("{} with exit code {}, without finishing", out.note, out.exit_code), true, 0}};
    case Fate::signaled: {
      const char* name = ::strsignal(out.signal);
      return {{Verdict::crashed, fmt::format("{}: signal {} ({})", out.note, out.signal, name ? name : "?"), true, 0}};
    }
  }
  return {};
}

std::vector<Charge> charges_of_findings(const std::vector<Finding>& findings, const std::string& where) {
  std::vector<Charge> out;
  for (const Finding& f : findings)
    for (const auto& row : kFindingRules)
      if (row.rule == f.rule && f.severity == Severity::reject) out.push_back({row.verdict, where + ": " + f.message, row.verdict == Verdict::timeout, f.line});
  return out;
}

std::vector<Charge> charges_of_step(const CaseTruth& truth, const sandbox::StepResult& step) {
  std::vector<Charge> out = charges_of_findings(step.findings, place(truth));
  const std::string& raises = truth.which->raises;
  if (!step.answered) return out;
  if (!raises.empty() && step.ok)
    out.push_back({Verdict::wrong_value, fmt::format("{}: returned where {} must be raised", place(truth), raises), counts_for_paper(truth), 0});
  if (!step.ok && step.error && (raises.empty() || !raised(*step.error, raises))) out.push_back(charge_of_error(*step.error, place(truth), counts_for_paper(truth)));
  for (const std::string& name : step.changed_inputs)
    out.push_back({Verdict::mutated_input, fmt::format("{}: the input `{}` was changed", place(truth), name), false, 0});
  if (step.redzone_hit) out.push_back({Verdict::illegal_memory_access, place(truth) + ": memory around an input was overwritten", false, 0});
  return out;
}

}  // namespace kbx::eval
