// Two runs beside each other: see the header.
#include "report/analysis/run_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "store/job_row.h"
#include "store/timing_json.h"

namespace kbx::report {
namespace {

using store::JobRow;
using store::RecordParts;

constexpr size_t kOnlyMost = 20;  // candidates of one run alone that are named

// What is kept of the first run's results.
struct Side {
  std::string candidate, task, source, engine, task_version, seed, device, gpu;
  Verdict verdict = Verdict::correct, paper = Verdict::correct;
  std::optional<double> speedup, low, high;
  bool met = false;
};

Side side_of(const JobRow& row) {
  RecordParts parts(row.record());
  Side s{std::string(row.candidate), std::string(row.task), std::string(row.source_hash), parts.string("engine_version"), parts.string("task_version"), parts.string("seed"), std::string(row.device), "", row.verdict,
         row.paper, {}, {}, {}, false};
  if (!row.exe_ok || parts.text("timing").empty()) return s;
  if (auto t = store::timing_from(parts.json("timing"))) {
    s.gpu = t->gpu;
    s.speedup = t->speedup;
    s.low = t->low;
    s.high = t->high;
  }
  return s;
}

void differ(std::vector<std::string>& out, const std::string& what, const std::string& a, const std::string& b) {
  if (a == b) return;
  bool spoken = !a.empty() && !b.empty() && a.size() < 40 && b.size() < 40;
  out.push_back(spoken ? what + " " + a + " -> " + b : what);
}

std::vector<std::string> reasons_of(const Side& a, const Side& b) {
  std::vector<std::string> out;
  if (a.source != b.source) out.push_back("source");
  differ(out, "engine version", a.engine, b.engine);
  if (a.task_version != b.task_version) out.push_back("task version");
  differ(out, "seed", a.seed, b.seed);
  differ(out, "device", a.device, b.device);
  if (!a.gpu.empty() && !b.gpu.empty()) differ(out, "GPU", a.gpu, b.gpu);
  return out;
}

// Facts of the machine, the versions and the limits.
std::vector<std::string> circumstances_of(const Json& a, const Json& b) {
  std::vector<std::string> out;
  auto words = [](const Json& j) { return j.is_string() ? j.get<std::string>() : j.is_null() ? std::string() : dump_json(j); };
  for (const char* name : {"python", "torch", "triton", "numpy"}) differ(out, name, words(get(get(a, "versions"), name)), words(get(get(b, "versions"), name)));
  for (const char* name : {"lint", "jail", "archs"}) differ(out, name, words(get(get(a, "config"), name)), words(get(get(b, "config"), name)));
  // The fingerprint holds seed and device as well, which are told apart already.
  auto limits = [&](const Json& facts) {
    std::string text = words(get(get(facts, "config"), "fingerprint"));
    for (const char* name : {"seed=", "device="})
      if (size_t at = text.find(name); at != text.npos) text.erase(at, text.find(' ', at) - at);
    return text;
  };
  if (limits(a) != limits(b)) out.push_back("limits or switches (config.fingerprint)");
  return out;
}

std::string joined(const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, "; ")); }

void compare(const Side& a, const Side& b, RunDiff& diff) {
  diff.both++;
  diff.paper_changes += a.paper != b.paper;
  if (a.verdict == b.verdict) {
    diff.same++;
  } else {
    std::vector<std::string> reasons = reasons_of(a, b);
    reasons.insert(reasons.end(), diff.circumstances.begin(), diff.circumstances.end());
    diff.verdicts.push_back({b.candidate, b.task, a.verdict, b.verdict, reasons.empty() ? "nothing that is stored" : joined(reasons)});
  }
  if (!a.low || !a.high || !b.low || !b.high || !a.speedup || !b.speedup) return;
  diff.timed_both++;
  if (*a.low <= *b.high && *b.low <= *a.high) return;
  diff.speeds.push_back({b.candidate, b.task, a.gpu, b.gpu, *a.speedup, *a.low, *a.high, *b.speedup, *b.low, *b.high});
}

Table verdict_table(const RunDiff& d) {
  Table t{"verdict_changes", "Verdicts that changed", {{"candidate", "candidate"}, {"task", "task"}, {"before", "before"}, {"after", "after"}, {"regression", ""}, {"differs", "what differs"}}, {}, {}, ""};
  for (const VerdictChange& v : d.verdicts)
    t.rows.push_back({word(v.candidate), word(v.task), word(std::string(to_text(v.before))), word(std::string(to_text(v.after))), word(v.regression() ? "regression" : v.after == Verdict::correct ? "mended" : ""), word(v.reasons)});
  if (t.rows.empty()) t.lacking = "every candidate that both runs hold has the same verdict";
  return t;
}

Table speed_table_of(const RunDiff& d) {
  Table t{"speed_changes", "Speedups that changed beyond both intervals", {{"candidate", "candidate"}, {"task", "task"}, {"gpu", "GPU"}, {"before", "before"}, {"after", "after"}, {"change", "change"}}, {}, {}, ""};
  for (const SpeedChange& v : d.speeds)
    t.rows.push_back({word(v.candidate), word(v.task), word(v.gpu == v.gpu_after ? v.gpu : v.gpu + " -> " + v.gpu_after), between(Form::ratio, v.before, v.low_before, v.high_before),
                      between(Form::ratio, v.after, v.low_after, v.high_after), figure(Form::ratio, v.after / v.before)});
  if (t.rows.empty()) t.lacking = d.timed_both ? fmt::format("none of {} candidates that are timed in both", d.timed_both) : "no candidate is timed in both runs";
  return t;
}

Table only_table(const RunDiff& d) {
  Table t{"only_in_one", "Candidates in one run alone", {{"run", "run"}, {"candidate", "candidate"}}, {}, {}, ""};
  for (auto [run, list] : {std::pair{&d.before, &d.only_before}, {&d.after, &d.only_after}}) {
    for (size_t k = 0; k < list->size() && k < kOnlyMost; k++) t.rows.push_back({word(*run), word((*list)[k])});
    if (list->size() > kOnlyMost) t.rows.push_back({word(*run), word(fmt::format("and {} more", list->size() - kOnlyMost))});
  }
  return t;
}

}  // namespace

int64_t RunDiff::regressions() const {
  return std::count_if(verdicts.begin(), verdicts.end(), [](const VerdictChange& v) { return v.regression(); }) + std::count_if(speeds.begin(), speeds.end(), [](const SpeedChange& v) { return v.slower(); });
}

Result<RunDiff> diff_runs(const Runs& runs) {
  if (runs.all().size() != 2) return fail(Code::usage, "a difference is between two runs");
  const Runs::Run &a = runs.all()[0], &b = runs.all()[1];
  RunDiff diff{a.label, b.label, 0, 0, 0, 0, {}, {}, {}, {}, circumstances_of(a.facts, b.facts)};
  std::vector<Side> sides;
  std::unordered_multimap<std::string, size_t> by_id;
  auto id_of = [](const JobRow& row) { return std::string(row.task) + "\n" + std::string(row.candidate); };
  std::unordered_map<std::string, int> seen;
  auto numbered = [&](const JobRow& row) {
    std::string id = id_of(row);
    int n = seen[id]++;
    return n ? id + "\n" + std::to_string(n) : id;
  };
  KBX_TRY(a.store.each_row([&](const JobRow& row) {
    if (row.category.empty()) return true;
    by_id.emplace(numbered(row), sides.size());
    sides.push_back(side_of(row));
    return true;
  }));
  seen.clear();
  KBX_TRY(b.store.each_row([&](const JobRow& row) {
    if (row.category.empty()) return true;
    auto at = by_id.find(numbered(row));
    if (at == by_id.end()) {
      diff.only_after.emplace_back(row.candidate);
      return true;
    }
    sides[at->second].met = true;
    compare(sides[at->second], side_of(row), diff);
    return true;
  }));
  for (const Side& s : sides)
    if (!s.met) diff.only_before.push_back(s.candidate);
  return diff;
}

Sections diff_sections(const RunDiff& d) {
  Table t{"diff", "From " + d.before + " to " + d.after, {{"what", "what"}, {"candidates", "candidates"}}, {}, {}, ""};
  auto regressed = std::count_if(d.verdicts.begin(), d.verdicts.end(), [](const VerdictChange& v) { return v.regression(); });
  auto mended = std::count_if(d.verdicts.begin(), d.verdicts.end(), [](const VerdictChange& v) { return v.after == Verdict::correct; });
  auto slower = std::count_if(d.speeds.begin(), d.speeds.end(), [](const SpeedChange& v) { return v.slower(); });
  t.rows = {{word("in both"), count(d.both)}, {word("same verdict"), count(d.same)}, {word("correct before, failing now"), count(regressed)}, {word("mended"), count(mended)},
            {word("verdict by the published rules changed"), count(d.paper_changes)}, {word("slower beyond both intervals"), count(slower)}, {word("faster beyond both intervals"), count(int64_t(d.speeds.size()) - slower)},
            {word("only in " + d.before), count(int64_t(d.only_before.size()))}, {word("only in " + d.after), count(int64_t(d.only_after.size()))}};
  if (!d.circumstances.empty()) t.notes.push_back("The runs differ in " + joined(d.circumstances) + ".");
  Sections out = {{std::move(t), {}}, {verdict_table(d), {}}, {speed_table_of(d), {}}};
  if (!d.only_before.empty() || !d.only_after.empty()) out.push_back({only_table(d), {}});
  return out;
}

}  // namespace kbx::report
