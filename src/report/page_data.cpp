// The HTML page's data: see the header.
#include "report/page_data.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "base/text.h"
#include "report/hardware.h"
#include "report/page_times.h"

namespace kbx::report {
namespace {

constexpr size_t kTextMost = 20000;    // bytes of a traceback or of printed output
constexpr size_t kMessageMost = 1200;  // bytes of a finding's or case's message
constexpr size_t kFindingsMost = 300;

// JSON has no NaN or Inf: they are strings.
Json number(double v, int digits = 6) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  return std::strtod(fmt::format("{:.{}g}", v, digits).c_str(), nullptr);
}

constexpr const char* kMetricNames[] = {"count",
                                        "mismatches",
                                        "max_abs",
                                        "max_rel",
                                        "max_ulp",
                                        "cosine",
                                        "l1_rel",
                                        "rmse",
                                        "rel_rmse",
                                        "nan_got",
                                        "nan_want",
                                        "inf_got",
                                        "inf_want",
                                        "nan_position_mismatches",
                                        "inf_position_mismatches"};

// In the order of kMetricNames; zeros at the end are left out.
Json metrics_json(const Metrics& m) {
  Json out = Json::array({m.count, m.mismatches, number(m.max_abs, 4), number(m.max_rel, 4), number(m.max_ulp, 4),
                          number(m.cosine, 9), number(m.l1_rel, 4), number(m.rmse, 4), number(m.rel_rmse, 4), m.nan_got,
                          m.nan_want, m.inf_got, m.inf_want, m.nan_position_mismatches, m.inf_position_mismatches});
  while (!out.empty() && out.back() == 0) out.erase(out.size() - 1);
  return out;
}

// [verdict, metrics], and unless correct what decided, and why.
Json judgement_json(const Judgement& j) {
  Json out = Json::array({int(j.verdict), metrics_json(j.metrics)});
  if (j.verdict == Verdict::correct) return out;
  for (Json more : {Json(j.metric), Json(clean_utf8(j.explanation, kMessageMost))}) out.push_back(std::move(more));
  return out;
}

Json compiled_json(const Compiled& c) {
  return Json::array({c.kernel, c.arch, c.ok, c.registers, c.stack, c.spill_stores, c.spill_loads, c.shared,
                      c.num_warps, c.num_stages, number(c.seconds), clean_utf8(c.error, kMessageMost)});
}

Json launch_json(const Launch& l) {
  return Json::array({l.kernel, Json::array({l.grid[0], l.grid[1], l.grid[2]}), number(l.seconds), l.load_bytes,
                      l.store_bytes, l.flops, l.reaches_output, l.atomic_bytes, l.unique_load_bytes + l.unique_store_bytes});
}

// What the counts mean for GPUs that are not here; null without counts.
Json hardware_page(const Record& r) {
  auto f = hardware_feedback(r);
  if (!f) return nullptr;
  Json gpus = Json::array();
  for (const GpuBound& g : f->gpus)
    gpus.push_back(Json::array({g.gpu->name, g.gpu->arch, number(g.seconds, 4), g.compute ? std::string(to_text(*g.compute)) : "memory", number(g.least_seconds, 4), g.gpu->source}));
  return {{"case", r.cost ? r.cost->case_name : ""}, {"compulsory", f->cost ? number(f->cost->bytes, 9) : Json(0)}, {"accessed", number(f->accessed, 9)}, {"distinct", number(f->distinct, 9)},
          {"atomics", number(f->atomics, 9)}, {"flops", number(f->flops, 9)}, {"gpus", gpus}};
}

Json finding_json(const Finding& f) {
  return Json::array(
      {to_text(f.layer), f.rule, to_text(f.severity), clean_utf8(f.message, kMessageMost), f.line, f.column});
}

Json findings_json(const Record& r) {
  Json out = Json::array();
  for (const Finding& f : r.findings) {
    if (out.size() == kFindingsMost) {
      out.push_back(finding_json(
          {Layer::judge, "more_findings", Severity::note,
           fmt::format("{} more findings; kbx show prints them all", r.findings.size() - kFindingsMost), 0, 0}));
      break;
    }
    out.push_back(finding_json(f));
  }
  return out;
}

Json counts_json(const Counts& c) {
  return {{"candidates", c.candidates}, {"call", c.call},          {"exe", c.exe},
          {"paperCall", c.paper_call},  {"paperExe", c.paper_exe}, {"verdicts", c.verdicts}};
}

template <class T, class F>
Json list_json(const std::vector<T>& items, F each) {
  Json out = Json::array();
  for (const T& item : items) out.push_back(each(item));
  return out;
}

}  // namespace

Json page_head(const Runs& runs, const Summary& s) {
  Json verdicts = Json::array(), categories = Json::object(), run_list = Json::array();
  for (size_t k = 0; k < kVerdictCount; k++)
    verdicts.push_back(Json::array({to_text(Verdict(k)), meaning(Verdict(k))}));
  for (const auto& [name, counts] : s.by_category) categories[name] = counts_json(counts);
  for (const Runs::Run& run : runs.all()) run_list.push_back({{"label", run.label}, {"facts", run.facts}});
  Json pass_at = Json::array();  // [k, mean over tasks]
  for (int64_t k : {1, 5, 10})
    if (auto p = s.pass_at(k)) pass_at.push_back(Json::array({k, number(*p)}));
  return {{"runs", run_list},
          {"passAt", pass_at},
          {"times", times_head(s.timing)},
          {"verdicts", verdicts},
          {"metrics", kMetricNames},
          {"all", counts_json(s.all)},
          {"categories", categories},
          {"paper", s.paper},
          {"candidates", s.candidates},
          {"notInSuite", s.not_in_suite},
          {"median", number(s.seconds_quantile(0.5))},
          {"p90", number(s.seconds_quantile(0.9))}};
}

Json page_row(size_t run, const Record& r) {
  std::set<std::string> rules;
  for (const Finding& f : r.findings) rules.insert(f.rule);
  int stages =
      int(r.call_ok) | int(r.exe_ok) << 1 | int(r.paper_call_ok) << 2 | int(r.paper_exe_ok) << 3 | int(r.in_suite) << 4;
  return Json::array({run, r.candidate, r.task, r.category, r.sample, int(r.verdict), int(r.paper), stages,
                      number(r.seconds), fmt::format("{}", fmt::join(rules, " ")), clean_utf8(r.explanation, 240), times_row(r)});
}

Json page_detail(const Record& r, size_t source) {
  Json stages = Json::object();
  for (const auto& [name, seconds] : r.stage_seconds) stages[name] = number(seconds);
  Json j = {{"explanation", clean_utf8(r.explanation, kTextMost)},
            {"traceback", clean_utf8(r.traceback, kTextMost)},
            {"output", clean_utf8(r.output, kTextMost)},
            {"flags", r.flags},
            {"how", r.how},
            {"device", r.device},
            {"seed", std::to_string(r.seed)},
            {"engine", r.engine_version},
            {"taskVersion", r.task_version},
            {"started", r.started},
            {"source", source},
            {"sourceHash", r.source_hash},
            {"ops", r.ops},
            {"stages", stages},
            {"findings", findings_json(r)}};
  j["cases"] = list_json(r.cases, [](const CaseRun& c) {
    return Json::array(
        {c.case_name, c.phase, c.answered, c.ok, clean_utf8(c.error, kMessageMost), number(c.seconds), c.launches});
  });
  j["judgements"] = list_json(r.judgements, [](const CaseJudgement& c) {
    const Judgement& k = c.judgements.kbx;
    return Json::array(
        {c.case_name, c.phase, k.path, to_text(k.kind), judgement_json(k), judgement_json(c.judgements.paper)});
  });
  j["compiled"] = list_json(r.compiled, compiled_json);
  j["launches"] = list_json(r.launches, launch_json);
  j["hardware"] = hardware_page(r);
  j["times"] = times_detail(r);
  return j;
}

}  // namespace kbx::report
