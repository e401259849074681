// The runs that were analysed: see analyses.h.
#include <fmt/format.h>

#include "base/words.h"
#include "report/analysis/analyses.h"

namespace kbx::report {
namespace {

std::string fact(const Json& facts, const char* group, const char* name) {
  const Json& j = get(get(facts, group), name);
  return j.is_string() ? j.get<std::string>() : j.is_null() ? "" : dump_json(j);
}

}  // namespace

Section runs_table(const Study& s) {
  Table t{"runs", "Runs", {{"run", "run"}, {"candidates", "candidates"}, {"device", "device"}, {"seed", "seed"}, {"kbx", "kbx"}, {"triton", "triton"}, {"torch", "torch"}, {"methods", "methods found"}}, {}, {}, ""};
  std::vector<int64_t> counts(size_t(s.runs.size()));
  for (const Trial& trial : s.trials) counts[size_t(trial.run)]++;
  for (int k = 0; k < s.runs.size(); k++) {
    const Json& f = s.facts[size_t(k)];
    t.rows.push_back({word(s.runs[k]), count(counts[size_t(k)]), word(fact(f, "config", "device")), word(fact(f, "config", "seed")), word(fact(f, "versions", "kbx")),
                      word(fact(f, "versions", "triton")), word(fact(f, "versions", "torch")), word(s.method_from[size_t(k)])});
  }
  if (s.not_in_suite) t.notes.push_back("Left out: " + counted(s.not_in_suite, "candidate") + " of tasks that are not in the suite.");
  if (s.left_out) t.notes.push_back("Left out by a rule: " + counted(s.left_out, "candidate") + ".");
  if (s.harness_errors) t.notes.push_back(fmt::format("{} ended as harness_error: failures of kbx or the machine, in no table.", s.harness_errors));
  if (s.not_judged) t.notes.push_back(fmt::format("{} are not_judged: that machine could not decide them; neither failure nor success, in no share.", s.not_judged));
  for (const auto& [what, values] : s.circumstances) {
    if (values.size() < 2) continue;
    std::string list;
    for (const auto& [value, n] : values)
      if (list.size() < 200) list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", value, n);
    t.notes.push_back(fmt::format("Not all candidates were judged under one {}: {}. Differences between them may come from that.", what, list));
  }
  return {std::move(t), {}};
}

}  // namespace kbx::report
