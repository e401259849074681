// The published corpus' records: see the header.
#include "dataset/upstream.h"

#include <cmath>
#include <fstream>

#include "base/text.h"
#include "dataset/material.h"
#include "dataset/output.h"
#include "report/upstream.h"

namespace kbx::dataset {
namespace {

double rounded(double v) { return std::round(v * 1e4) / 1e4; }

bool perf_ok(const Attempt& a) { return a.out.paper_exe_ok && a.out.time_us && *a.out.time_us > 0; }
// The pipeline's ratio of sums over sizes.
double speedup(const Attempt& a) { return perf_ok(a) ? rounded(*a.out.reference_us / *a.out.time_us) : 0; }

Json side(const Attempt& a) {
  bool timed = perf_ok(a);
  auto maybe = [&](double v) { return timed && v > 0 ? Json(rounded(v)) : Json(); };
  double us = timed ? *a.out.time_us : 1;
  return {{"call_ok", a.out.paper_call_ok}, {"exe_ok", a.out.paper_exe_ok}, {"perf_ok", timed}, {"dtype", ""}, {"runtime_ms", maybe(us / 1e3)}, {"gbs", maybe(a.out.bytes / us / 1e3)},
          {"tflops", maybe(a.out.flops / us / 1e6)}, {"speedup", maybe(speedup(a))}, {"maintainability", "N/A"}, {"error", a.out.paper_exe_ok ? "" : a.out.error}};
}

Json kbx_side(const Attempt& a) {
  auto maybe = [](const std::optional<double>& v) { return v ? Json(*v) : Json(); };
  return {{"candidate", a.candidate}, {"method", a.method}, {"model", a.call ? Json(a.call->model) : Json()}, {"verdict", to_text(a.out.verdict)}, {"paper_verdict", to_text(a.out.paper)},
          {"call_ok", a.out.call_ok}, {"exe_ok", a.out.exe_ok}, {"speedup", maybe(a.out.speedup)}, {"interval", a.timed() ? Json::array({*a.out.low, *a.out.high}) : Json()}, {"error", a.out.error}};
}

std::string stage_name(const Attempt& a) { return a.round ? "round_" + std::to_string(*a.round) : "sample_" + std::to_string(a.sample); }

// What the slot remembered at the end of its round.
Json memory(const Attempt& a) {
  Json none;
  if (!a.memory)
    return {{"temp_strategy", none}, {"perf_strategy", none}, {"reflection_texts", none}, {"reflection", none}, {"pass_call", none}, {"pass_exe", none}, {"pass_perf", none}, {"memory_source_round", none}};
  const Memory& m = *a.memory;
  bool timed = perf_ok(a);
  auto text = [](const std::string& s) { return s.empty() ? Json() : Json(s); };
  return {{"temp_strategy", timed ? none : text(m.strategy)}, {"perf_strategy", timed ? text(m.strategy) : none}, {"reflection_texts", m.reflection.empty() ? none : Json::array({m.reflection})},
          {"reflection", text(m.reflection)}, {"pass_call", a.out.paper_call_ok}, {"pass_exe", a.out.paper_exe_ok}, {"pass_perf", timed}, {"memory_source_round", stage_name(a)}};
}

bool any_starts(const std::vector<std::string>& kinds, std::initializer_list<std::string_view> prefixes) {
  for (const std::string& kind : kinds)
    for (std::string_view p : prefixes)
      if (starts_with(kind, p)) return true;
  return false;
}

struct File {
  const char* name;
  bool (*holds)(const std::vector<std::string>& kinds);
};
constexpr File kFiles[] = {
    {"all_records.jsonl", [](const std::vector<std::string>&) { return true; }},
    {"correctness_transitions.jsonl", [](const std::vector<std::string>& k) { return any_starts(k, {"exe_fail", "call_fail"}); }},
    {"performance_events.jsonl", [](const std::vector<std::string>& k) { return any_starts(k, {"speedup"}); }},
    {"regressions.jsonl", [](const std::vector<std::string>& k) { return any_starts(k, {"regression"}); }}};

}  // namespace

std::vector<std::string> upstream_kinds(const Attempt& a, const Attempt& b) {
  std::vector<std::string> out;
  auto add = [&](bool applies, const char* kind) {
    if (applies) out.push_back(kind);
  };
  add(!a.out.paper_exe_ok && b.out.paper_exe_ok, "exe_fail_to_pass");
  add(!a.out.paper_call_ok && b.out.paper_call_ok, "call_fail_to_pass");
  add(!perf_ok(a) && perf_ok(b), "perf_ok_newly");
  bool comparable = perf_ok(a) && perf_ok(b) && a.out.gpu == b.out.gpu;
  add(comparable && speedup(b) > speedup(a), "speedup_increase");
  add(comparable && speedup(b) < speedup(a), "speedup_decrease");
  add(a.out.paper_call_ok && !b.out.paper_call_ok, "regression_call");
  add(a.out.paper_exe_ok && !b.out.paper_exe_ok, "regression_exe");
  add(perf_ok(a) && !perf_ok(b), "regression_perf");
  return out;
}

Json upstream_record(const Attempt& a, const Attempt& b, Relation relation, const Diff& diff, const std::string& run) {
  std::string key = report::upstream_key(b.category, b.task), kinds;
  for (const std::string& kind : upstream_kinds(a, b)) kinds += (kinds.empty() ? "" : ",") + kind;
  return {{"task_id", key},
          {"transition", stage_name(a) + "_to_" + stage_name(b)},
          {"from_round", stage_name(a)},
          {"to_round", stage_name(b)},
          {"kind", kinds},
          {"before", side(a)},
          {"after", side(b)},
          {"before_code_present", !a.code.empty()},
          {"after_code_present", !b.code.empty()},
          {"before_code", a.code},
          {"after_code", b.code},
          {"unified_diff", diff.text},
          {"diff_stats", {{"lines_a", diff.stats.lines_before}, {"lines_b", diff.stats.lines_after}, {"similarity_ratio", std::round(diff.stats.similarity * 1e6) / 1e6}, {"opcodes_len", diff.stats.opcodes}}},
          {"llm_fields", {{"memory_after_round_from", memory(a)}, {"memory_after_next_round_from", memory(b)}}},
          {"notes", relation == Relation::samples ? "independent samples in input order" : ""},
          {"kbx", {{"run", run}, {"slot", b.slot ? Json(*b.slot) : Json()}, {"before", kbx_side(a)}, {"after", kbx_side(b)}}}};
}

Result<Totals> write_upstream(const report::Runs& runs, const Options& options, const std::filesystem::path& folder) {
  Totals totals;
  KBX_TRY_ASSIGN(Material material, Material::read(runs, options, totals));
  KBX_TRY_ASSIGN(auto part, begin_folder(folder));
  std::vector<std::ofstream> files;
  for (const File& file : kFiles) files.emplace_back(part / file.name, std::ios::binary | std::ios::trunc);
  Transitions found = find_transitions(material.attempts(), Judge::paper);
  totals.looked_at = found.looked_at;
  totals.same_program = found.same_program;
  totals.repeated = found.repeated;
  for (const Transition& t : found.all) {
    const Attempt &a = material.attempts()[t.before], &b = material.attempts()[t.after];
    totals.rows[size_t(TableName::transitions)][size_t(Part::train)]++;
    totals.kinds[size_t(t.kind)][size_t(Part::train)]++;
    std::string key = report::upstream_key(b.category, b.task);
    std::string line = dump_json(upstream_record(a, b, t.relation, unified_diff(a.code, b.code, key + "::before", key + "::after"), material.run_name(b))) + "\n";
    auto kinds = upstream_kinds(a, b);
    for (size_t k = 0; k < files.size(); k++)
      if (kFiles[k].holds(kinds)) files[k] << line;
  }
  for (size_t k = 0; k < files.size(); k++) {
    files[k].close();
    if (!files[k]) return fail(Code::io, "cannot write " + (part / kFiles[k].name).string() + " (is the disk full?)");
  }
  KBX_TRY(finish_folder(part, folder));
  return totals;
}

}  // namespace kbx::dataset
