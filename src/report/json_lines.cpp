#include "report/json_lines.h"

#include "report/reward.h"
#include "store/timing_json.h"

namespace kbx::report {

Json json_line(const Record& r) {
  Json findings = Json::array();
  for (const Finding& f : r.findings) {
    Json j = {{"layer", to_text(f.layer)}, {"rule", f.rule}, {"severity", to_text(f.severity)}, {"message", f.message}};
    if (f.line) j["line"] = f.line;
    findings.push_back(std::move(j));
  }
  Json speedup, interval, timing;
  if (r.timing) {
    const Timing& t = *r.timing;
    if (t.speedup) speedup = *t.speedup;
    if (t.low && t.high) interval = Json::array({*t.low, *t.high});
    timing = store::timing_json(t);
  }
  return {{"candidate", r.candidate}, {"task", r.task}, {"sample", r.sample}, {"verdict", r.in_suite ? to_text(r.verdict) : "not_in_suite"},
          {"stage", {{"call", r.call_ok}, {"exe", r.exe_ok}}}, {"verdicts", {{"kbx", to_text(r.verdict)}, {"paper", to_text(r.paper)}}},
          {"explanation", r.explanation}, {"findings", findings}, {"device", r.device}, {"speedup", speedup}, {"interval", interval},
          {"timing", timing}, {"flags", r.flags}, {"seconds", r.seconds}, {"key", r.job_key}};
}

Json json_summary(const Summary& s, double wall) {
  Json verdicts = Json::object();
  for (size_t k = kVerdictCount; k-- > 0;) verdicts[std::string(to_text(Verdict(k)))] = s.all.verdicts[k];
  return {{"summary", {{"candidates", s.candidates}, {"judged", s.all.candidates}, {"not_in_suite", s.not_in_suite}, {"call", s.all.call}, {"exe", s.all.exe},
                       {"verdicts", verdicts}, {"harness_error", s.all.of(Verdict::harness_error)}, {"timing", timing_summary_json(s.timing)}, {"seconds", wall}}}};
}

Json json_lines_schema() {
  Json verdicts = Json::array({"not_in_suite"});
  for (size_t k = 0; k < kVerdictCount; k++) verdicts.push_back(to_text(Verdict(k)));
  Json string = {{"type", "string"}}, boolean = {{"type", "boolean"}}, number = {{"type", "number"}}, integer = {{"type", "integer"}};
  Json finding = {{"type", "object"},
                  {"required", {"layer", "rule", "severity", "message"}},
                  {"properties", {{"layer", string}, {"rule", string}, {"severity", {{"enum", {"note", "warn", "reject"}}}}, {"message", string}, {"line", integer}}}};
  Json maybe = {{"type", {"number", "null"}}};
  Json size = {{"type", "object"},
               {"required", {"case", "problem", "by", "candidate_us", "reference_us", "speedup", "low", "high"}},
               {"properties", {{"case", string}, {"problem", string}, {"by", {{"enum", {"replay", "mixed", "in_process"}}}}, {"candidate_us", maybe}, {"reference_us", maybe}, {"speedup", maybe},
                               {"low", maybe}, {"high", maybe}, {"candidate_host_us", maybe}, {"reference_host_us", maybe}, {"bytes", maybe}, {"flops", maybe}, {"unit", string}, {"bound_us", maybe},
                               {"limit", string}, {"launch_bound", boolean}, {"compared", boolean}, {"claimed", boolean}, {"iou", maybe}, {"mfu", maybe}, {"iou_reached", maybe}, {"mfu_reached", maybe}}}};
  Json timing = {{"type", {"object", "null"}},
                 {"required", {"gpu", "board", "speedup", "low", "high", "sizes"}},
                 {"properties", {{"gpu", string}, {"board", string}, {"driver", string}, {"speedup", maybe}, {"low", maybe}, {"high", maybe}, {"host_speedup", maybe}, {"iou", maybe}, {"mfu", maybe},
                                 {"sizes", {{"type", "array"}, {"items", size}}}}}};
  Json candidate = {{"type", "object"},
                    {"required", {"candidate", "task", "sample", "verdict", "stage", "verdicts", "findings", "device", "speedup", "interval", "flags", "seconds", "key"}},
                    {"properties",
                     {{"candidate", string}, {"task", string}, {"sample", integer}, {"verdict", {{"enum", verdicts}}},
                      {"stage", {{"type", "object"}, {"properties", {{"call", boolean}, {"exe", boolean}}}}},
                      {"verdicts", {{"type", "object"}, {"properties", {{"kbx", {{"enum", verdicts}}}, {"paper", {{"enum", verdicts}}}}}}},
                      {"explanation", string}, {"findings", {{"type", "array"}, {"items", finding}}}, {"device", string},
                      {"speedup", maybe}, {"interval", {{"type", {"array", "null"}}, {"items", number}, {"minItems", 2}, {"maxItems", 2}}}, {"timing", timing},
                      {"reward", reward_schema()}, {"flags", {{"type", "array"}, {"items", string}}}, {"seconds", number}, {"key", string}}}};
  Json summary = {{"type", "object"},
                  {"required", {"summary"}},
                  {"properties",
                   {{"summary",
                     {{"type", "object"},
                      {"required", {"candidates", "judged", "not_in_suite", "verdicts", "harness_error", "seconds"}},
                      {"properties", {{"candidates", integer}, {"judged", integer}, {"not_in_suite", integer}, {"call", integer}, {"exe", integer},
                                      {"verdicts", {{"type", "object"}}}, {"harness_error", integer},
                                      {"timing", {{"type", {"object", "null"}}}}, {"reward", reward_summary_schema()}, {"seconds", number}}}}}}}};
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "kbx eval --json, one line"}, {"version", kJsonLinesVersion}, {"oneOf", {candidate, summary}}};
}

}  // namespace kbx::report
