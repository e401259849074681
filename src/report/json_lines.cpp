#include "report/json_lines.h"

namespace kbx::report {

Json json_line(const Record& r) {
  Json findings = Json::array();
  for (const Finding& f : r.findings) {
    Json j = {{"layer", to_text(f.layer)}, {"rule", f.rule}, {"severity", to_text(f.severity)}, {"message", f.message}};
    if (f.line) j["line"] = f.line;
    findings.push_back(std::move(j));
  }
  return {{"candidate", r.candidate}, {"task", r.task}, {"sample", r.sample}, {"verdict", r.in_suite ? to_text(r.verdict) : "not_in_suite"},
          {"stage", {{"call", r.call_ok}, {"exe", r.exe_ok}}}, {"verdicts", {{"kbx", to_text(r.verdict)}, {"paper", to_text(r.paper)}}},
          {"explanation", r.explanation}, {"findings", findings}, {"device", r.device}, {"speedup", nullptr}, {"interval", nullptr},
          {"flags", r.flags}, {"seconds", r.seconds}, {"key", r.job_key}};
}

Json json_summary(const Summary& s, double wall) {
  Json verdicts = Json::object();
  for (size_t k = kVerdictCount; k-- > 0;) verdicts[std::string(to_text(Verdict(k)))] = s.all.verdicts[k];
  return {{"summary", {{"candidates", s.candidates}, {"judged", s.all.candidates}, {"not_in_suite", s.not_in_suite}, {"call", s.all.call}, {"exe", s.all.exe},
                       {"verdicts", verdicts}, {"harness_error", s.all.of(Verdict::harness_error)}, {"seconds", wall}}}};
}

Json json_lines_schema() {
  Json verdicts = Json::array({"not_in_suite"});
  for (size_t k = 0; k < kVerdictCount; k++) verdicts.push_back(to_text(Verdict(k)));
  Json string = {{"type", "string"}}, boolean = {{"type", "boolean"}}, number = {{"type", "number"}}, integer = {{"type", "integer"}};
  Json finding = {{"type", "object"},
                  {"required", {"layer", "rule", "severity", "message"}},
                  {"properties", {{"layer", string}, {"rule", string}, {"severity", {{"enum", {"note", "warn", "reject"}}}}, {"message", string}, {"line", integer}}}};
  Json candidate = {{"type", "object"},
                    {"required", {"candidate", "task", "sample", "verdict", "stage", "verdicts", "findings", "device", "speedup", "interval", "flags", "seconds", "key"}},
                    {"properties",
                     {{"candidate", string}, {"task", string}, {"sample", integer}, {"verdict", {{"enum", verdicts}}},
                      {"stage", {{"type", "object"}, {"properties", {{"call", boolean}, {"exe", boolean}}}}},
                      {"verdicts", {{"type", "object"}, {"properties", {{"kbx", {{"enum", verdicts}}}, {"paper", {{"enum", verdicts}}}}}}},
                      {"explanation", string}, {"findings", {{"type", "array"}, {"items", finding}}}, {"device", string},
                      {"speedup", {{"type", {"number", "null"}}}}, {"interval", {{"type", {"array", "null"}}}},
                      {"flags", {{"type", "array"}, {"items", string}}}, {"seconds", number}, {"key", string}}}};
  Json summary = {{"type", "object"},
                  {"required", {"summary"}},
                  {"properties",
                   {{"summary",
                     {{"type", "object"},
                      {"required", {"candidates", "judged", "not_in_suite", "verdicts", "harness_error", "seconds"}},
                      {"properties", {{"candidates", integer}, {"judged", integer}, {"not_in_suite", integer}, {"call", integer}, {"exe", integer},
                                      {"verdicts", {{"type", "object"}}}, {"harness_error", integer}, {"seconds", number}}}}}}}};
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "kbx eval --json, one line"}, {"version", kJsonLinesVersion}, {"oneOf", {candidate, summary}}};
}

}  // namespace kbx::report
