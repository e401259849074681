// Where the published rules and kbx part: see analyses.h.
#include <algorithm>
#include <map>
#include <tuple>

#include "report/analysis/analyses.h"

namespace kbx::report {
namespace {

// Of one method: accepted by the published rules, by kbx's verdict and what exactly.
struct Accepted {
  int64_t all = 0;
  std::map<std::pair<Verdict, int>, int64_t> ends;  // kind -1: the verdict itself

  void add(const Trial& t) {
    all++;
    ends[{t.verdict, -1}]++;
    if (t.kind >= 0) ends[{t.verdict, t.kind}]++;
  }
};

void add_rows(const Study& s, const std::string& method, const Accepted& a, Table& t) {
  t.rows.push_back({word(method), word("all"), word(""), count(a.all), share_of(a.all, a.all)});
  std::vector<std::tuple<int64_t, Verdict, int>> order;  // verdicts by count, each with its kinds below
  for (const auto& [end, n] : a.ends) order.emplace_back(-a.ends.at({end.first, -1}), end.first, end.second);
  std::sort(order.begin(), order.end());
  for (const auto& [by, verdict, kind] : order) {
    int64_t n = a.ends.at({verdict, kind});
    t.rows.push_back({word(method), word(std::string(to_text(verdict))), word(kind < 0 ? "" : s.kinds[kind]), count(n), share_of(n, a.all)});
  }
}

}  // namespace

Section rules_apart_table(const Study& s) {
  Table t{"rules_apart", "What kbx says of candidates that the published rules take", {{"method", "method"}, {"verdict", "verdict of kbx"}, {"kind", "what exactly"}, {"candidates", "candidates"}, {"share", "share of those taken"}}, {}, {}, ""};
  std::map<std::string, Accepted> methods;
  Accepted all;
  int64_t only_kbx = 0;
  for (const Trial& trial : s.trials) {
    if (!trial.counts) continue;
    only_kbx += trial.correct() && trial.paper_judged() && !trial.paper_correct();
    if (!trial.paper_correct() || !trial.judged()) continue;
    methods[s.methods[trial.method]].add(trial);
    all.add(trial);
  }
  for (const auto& [name, a] : methods) add_rows(s, name, a, t);
  if (methods.size() > 1) add_rows(s, "all", all, t);
  if (t.rows.empty()) t.lacking = "the published rules take no candidate";
  t.notes = {"Published rules: tolerance against eager on the published kinds of inputs alone, whoever did the work. \"What exactly\" as in table failures. delegated and constraint_violation: no kernel of the candidate does the main work.",
             "The other way round, correct by kbx and refused by the published rules: " + std::to_string(only_kbx) + "."};
  return {std::move(t), {}};
}

}  // namespace kbx::report
