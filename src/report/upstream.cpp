// The published pipeline's files: see the header.
#include "report/upstream.h"

#include <cmath>
#include <map>

#include "base/text.h"

namespace kbx::report {
namespace {

constexpr double kMicroPerMilli = 1000;

// Sums over the sizes that were compared, as the pipeline forms its speedup; none where a size has no time.
struct Sums {
  double candidate_us = 0, reference_us = 0;
  bool any() const { return candidate_us > 0; }
};
Sums sums_of(const Record& r) {
  Sums out;
  if (!r.timing || !r.timing->speedup || !r.paper_exe_ok) return out;
  for (const SizeTiming& s : r.timing->sizes)
    if (s.compared) out.candidate_us += s.candidate_us, out.reference_us += s.reference_us;
  return out;
}

double rounded(double v) { return std::round(v * 1e4) / 1e4; }

using Attempt = std::map<std::string, Json>;  // key -> entry of metrics.json

Json metrics_entry(const std::string& key, const Record& r, const std::string& source) {
  std::string error = r.paper_exe_ok ? "" : !r.traceback.empty() ? r.traceback : r.explanation;
  Sums sums = sums_of(r);
  Json word = "N/A";
  const Timing* t = sums.any() ? &*r.timing : nullptr;
  auto maybe = [](const std::optional<double>& v) { return v ? Json(*v) : Json(); };
  return {{"file", key},
          {"call_ok", r.paper_call_ok},
          {"exe_ok", r.paper_exe_ok},
          {"perf_ok", sums.any()},
          {"dtype", ""},
          {"runtime_ms", t ? Json(sums.candidate_us / kMicroPerMilli) : word},
          {"gbs", "N/A"},
          {"tflops", "N/A"},
          {"speedup", t ? Json(rounded(sums.reference_us / sums.candidate_us)) : word},
          {"maintainability", "N/A"},
          {"code_quality", Json::object()},
          {"performance", Json::array()},
          {"error", clean_utf8(error, 2000)},
          {"code", clean_utf8(source)},
          {"kbx",
           {{"candidate", r.candidate},
            {"verdict", to_text(r.verdict)},
            {"paper_verdict", to_text(r.paper)},
            {"call_ok", r.call_ok},
            {"exe_ok", r.exe_ok},
            {"explanation", r.explanation},
            {"speedup", t ? maybe(t->speedup) : Json()},
            {"interval", t && t->low && t->high ? Json::array({*t->low, *t->high}) : Json()},
            {"candidate_us", t ? Json(sums.candidate_us) : Json()},
            {"reference_us", t ? Json(sums.reference_us) : Json()}}}};
}

double percent(int64_t part, int64_t of) { return of ? std::round(1000.0 * double(part) / double(of)) / 10.0 : 0.0; }

Json summary_of(const std::string& method, const Attempt& attempt) {
  int64_t total = int64_t(attempt.size()), call = 0, exe = 0, perf = 0;
  double candidate_us = 0, reference_us = 0, ratios = 0;
  for (const auto& [key, entry] : attempt) {
    bool call_ok = get_bool(entry, "call_ok").value_or(false);
    call += call_ok;
    exe += call_ok && get_bool(entry, "exe_ok").value_or(false);
    if (!get_bool(entry, "perf_ok").value_or(false)) continue;
    perf++;
    candidate_us += get_double(get(entry, "kbx"), "candidate_us").value_or(0);
    reference_us += get_double(get(entry, "kbx"), "reference_us").value_or(0);
    ratios += get_double(entry, "speedup").value_or(0);
  }
  double of_sums = perf ? rounded(reference_us / candidate_us) : 0;
  return {{"method", method},
          {"total", total},
          {"call_pass", call},
          {"call_rate", percent(call, total)},
          {"exe_pass", exe},
          {"exe_rate", percent(exe, total)},
          {"perf_pass", perf},
          {"perf_rate", percent(perf, total)},
          {"avg_speedup", of_sums},
          {"avg_speedup_global", of_sums},
          {"avg_speedup_per_task", perf ? rounded(ratios / double(perf)) : 0.0}};
}

void add_files(const std::string& folder, const std::string& method, const Attempt& attempt,
               std::vector<TextFile>& out) {
  Json metrics = Json::object();
  for (const auto& [key, entry] : attempt) metrics[key] = entry;
  out.push_back({folder + "metrics.json", dump_json(metrics, 2) + "\n"});
  out.push_back({folder + "summary.json", dump_json(summary_of(method, attempt), 2) + "\n"});
}

}  // namespace

std::string upstream_key(std::string_view category, std::string_view task) {
  std::string key;
  bool capital = true;
  for (char c : category) {
    if (c == '_') {
      capital = true;
      continue;
    }
    key += capital && c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
    capital = false;
  }
  return key + "/" + std::string(task) + ".py";
}

Result<std::vector<TextFile>> upstream_files(const Runs& runs) {
  std::map<const Runs::Run*, std::vector<Attempt>> attempts;
  KBX_TRY(runs.each([&](const Runs::Run& run, const Record& r) {
    if (!r.in_suite) return true;
    std::string key = upstream_key(r.category, r.task);
    std::string source = run.store.blob(r.source_hash).value_or("");
    // The n-th candidate of a task, in input order, is attempt n: nothing overwrites anything.
    auto& list = attempts[&run];
    size_t n = 0;
    while (n < list.size() && list[n].count(key)) n++;
    if (n == list.size()) list.emplace_back();
    list[n].emplace(key, metrics_entry(key, r, source));
    return true;
  }));
  std::vector<TextFile> out;
  for (const Runs::Run& run : runs.all()) {
    const auto& list = attempts[&run];
    std::string folder = runs.all().size() > 1 ? run.label + "/" : "";
    if (list.empty()) add_files(folder, run.label, {}, out);
    for (size_t n = 0; n < list.size(); n++)
      add_files(folder + (list.size() > 1 ? "sample_" + std::to_string(n) + "/" : ""), run.label, list[n], out);
  }
  return out;
}

}  // namespace kbx::report
