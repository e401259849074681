// The taxonomy of failures: see analyses.h.
#include <algorithm>
#include <array>
#include <map>

#include "report/analysis/analyses.h"

namespace kbx::report {
namespace {

enum class FailureClass : unsigned char { no_program, forbidden, compile, run, semantic };
constexpr std::array<const char*, 5> kClassNames = {"no program", "forbidden", "compile", "run", "semantic"};

FailureClass class_of(Verdict v) {
  switch (v) {
    case Verdict::no_code:
    case Verdict::syntax_error:
    case Verdict::import_error:
    case Verdict::entry_missing: return FailureClass::no_program;
    case Verdict::constraint_violation:
    case Verdict::sandbox_violation: return FailureClass::forbidden;
    case Verdict::compile_error: return FailureClass::compile;
    case Verdict::runtime_error:
    case Verdict::illegal_memory_access:
    case Verdict::crashed:
    case Verdict::timeout:
    case Verdict::out_of_memory: return FailureClass::run;
    default: return FailureClass::semantic;
  }
}

constexpr size_t kKindsMost = 8;  // of one verdict

using Key = std::pair<FailureClass, Verdict>;
struct Kinds {
  int64_t all = 0, paper = 0;
  std::map<int, int64_t> by_kind;
};

void rows_of_verdict(const Study& s, const Key& key, const Kinds& k, int64_t failed, int64_t paper_failed, Table& t) {
  auto row = [&](const std::string& kind, int64_t n, Cell paper) {
    t.rows.push_back({word(kClassNames[size_t(key.first)]), word(std::string(to_text(key.second))), word(kind), count(n), share_of(n, failed), std::move(paper)});
  };
  row("", k.all, share_of(k.paper, paper_failed));
  std::vector<std::pair<int64_t, int>> kinds;
  for (auto [kind, n] : k.by_kind)
    if (kind >= 0) kinds.emplace_back(-n, kind);
  std::sort(kinds.begin(), kinds.end());
  int64_t rest = 0;
  for (size_t n = 0; n < kinds.size(); n++) {
    if (n < kKindsMost) row(s.kinds[kinds[n].second], -kinds[n].first, word(""));
    else rest -= kinds[n].first;
  }
  if (rest) row("others", rest, word(""));
}

}  // namespace

Section failures_table(const Study& s) {
  Table t{"failures", "What failed", {{"class", "class"}, {"verdict", "verdict"}, {"kind", "what exactly"}, {"candidates", "candidates"}, {"share", "share of failures"}, {"paper_share", "paper: share"}}, {}, {}, ""};
  std::map<Key, Kinds> kinds;
  std::array<int64_t, kClassNames.size()> classes{}, paper_classes{};
  int64_t failed = 0, paper_failed = 0;
  for (const Trial& trial : s.trials) {
    if (!trial.counts) continue;
    if (is_failure(trial.paper)) {
      paper_failed++;
      paper_classes[size_t(class_of(trial.paper))]++;
      kinds[{class_of(trial.paper), trial.paper}].paper++;
    }
    if (!is_failure(trial.verdict)) continue;
    failed++;
    classes[size_t(class_of(trial.verdict))]++;
    Kinds& k = kinds[{class_of(trial.verdict), trial.verdict}];
    k.all++;
    k.by_kind[trial.kind]++;
  }
  for (size_t c = 0; c < classes.size(); c++) {
    if (!classes[c] && !paper_classes[c]) continue;
    t.rows.push_back({word(kClassNames[c]), word("all"), word(""), count(classes[c]), share_of(classes[c], failed), share_of(paper_classes[c], paper_failed)});
    for (const auto& [key, k] : kinds)
      if (size_t(key.first) == c) rows_of_verdict(s, key, k, failed, paper_failed, t);
  }
  if (t.rows.empty()) t.lacking = "no candidate failed";
  t.notes = {"One verdict a candidate, the first that applies (docs/verdicts.md): a kernel that a later case could not compile is compile, whatever its values.",
             "What exactly: the oracle and its metric for wrong results, the rule for what is forbidden or reads outside, else the exception's class."};
  return {std::move(t), {}};
}

}  // namespace kbx::report
