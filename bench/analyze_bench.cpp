// analyze_bench: `kbx analyze` over a made-up store of many results.
//   analyze_bench [JOBS] [FOLDER]     default: 100000 jobs in a temporary folder; a folder that holds a run is used again
// The store is written by a child through the Store's own interface; then this process reads it as kbx analyze does. Prints
// seconds by part, bytes of records, and the peak memory of the reading process.
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>

#include "report/analysis/analyses.h"
#include "report/analysis/write.h"
#include "store/store.h"

namespace {

using namespace kbx;

constexpr int kTasks = 176, kCategories = 15, kMethods = 8;
constexpr Verdict kVerdicts[] = {Verdict::correct, Verdict::compile_error, Verdict::import_error, Verdict::runtime_error, Verdict::wrong_value,
                                 Verdict::correct, Verdict::constraint_violation, Verdict::wrong_value_outlier, Verdict::illegal_memory_access, Verdict::no_code};

CaseJudgement judged(int n, Verdict v) {
  CaseJudgement c{fmt::format("case_{}", n), n % 2 ? "outlier" : "standard", {}};
  for (Judgement* j : {&c.judgements.kbx, &c.judgements.paper}) {
    j->path = "result";
    j->profile = j == &c.judgements.kbx ? Profile::kbx : Profile::paper;
    j->verdict = v;
    j->metric = v == Verdict::correct ? "" : "abs";
    j->metrics.count = 4096;
    j->metrics.max_abs = 1e-7 * n;
  }
  return c;
}

Timing timing_of(int64_t n) {
  Timing t;
  t.gpu = n % 3 ? "NVIDIA H200" : "NVIDIA L20";
  double ratio = 0.5 + double(n % 40) / 20;
  for (int k = 0; k < 3; k++) {
    SizeTiming s;
    s.case_name = fmt::format("size_{}", k);
    s.candidate_us = 20 << k;
    s.reference_us = s.candidate_us * ratio;
    s.speedup = ratio;
    s.low = ratio * 0.98;
    s.high = ratio * 1.02;
    s.bound_us = s.candidate_us / 2;
    s.limit = "memory";
    t.sizes.push_back(s);
  }
  t.speedup = ratio;
  t.low = ratio * 0.99;
  t.high = ratio * 1.01;
  t.host_speedup = ratio * 0.9;
  t.iou = 0.4;
  return t;
}

Record record_of(int64_t n) {
  Record r;
  int task = int(n % kTasks);
  uint64_t mixed = uint64_t(n) * 0x9E3779B97F4A7C15u >> 40;
  r.job_key = fmt::format("{:064x}", n + 1);
  r.ordinal = n;
  r.candidate = fmt::format("method_{}.jsonl:{}", n / kTasks % kMethods, n + 1);
  r.task = fmt::format("task_{}", task);
  r.category = task % kCategories == 9 ? "quantization" : fmt::format("category_{}", task % kCategories);
  r.verdict = r.paper = kVerdicts[mixed % 10];
  r.exe_ok = r.paper_exe_ok = r.verdict == Verdict::correct;
  r.call_ok = r.paper_call_ok = r.verdict > Verdict::compile_error;
  r.device = "cuda:0";
  r.explanation = "case_1: what went wrong";
  r.error_type = r.verdict == Verdict::runtime_error ? "ValueError" : "";
  if (!r.exe_ok) r.findings.push_back({Layer::judge, "out_of_bounds", Severity::reject, "load out of bounds in kernel", 11, 5});
  for (int k = 0; k < 4 && r.call_ok; k++) r.judgements.push_back(judged(k, r.verdict));
  for (int k = 0; k < 6; k++) r.cases.push_back({fmt::format("case_{}", k), "standard", true, true, "", 0.004, 1});
  for (int arch : {80, 90}) r.compiled.push_back({"kernel", arch, r.call_ok, 40, 0, 0, 0, n % 500 ? 1024 : 180000, 4, 3, 0.2, ""});
  if (r.exe_ok) r.timing = timing_of(n);
  r.source_hash = fmt::format("{:064x}", mixed);
  r.engine_version = "0.0.0";
  r.task_version = "made up";
  r.seconds = 0.5;
  return r;
}

bool make_store(const std::string& folder, int64_t jobs) {
  auto store = store::Store::open(folder);
  if (!store || !store->put_fact("config", {{"seed", "1"}, {"device", "cuda:0"}})) return false;
  for (int64_t n = 0; n < jobs; n++)
    if (!store->append(record_of(n))) return false;
  return true;
}

double processor() { return double(std::clock()) / CLOCKS_PER_SEC; }
double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

int measure(const std::string& folder) {
  double start = now();
  auto runs = report::Runs::open({folder});
  if (!runs) return 1;
  auto study = report::study_of(*runs, {});
  if (!study) return 1;
  double read = now(), read_processor = processor();
  report::Sections sections;
  for (const auto& entry : report::analyses()) {
    double before = processor();
    sections.push_back(entry.make(*study));
    if (double s = processor() - before; s > 0.05) fmt::print("  {:20} {:.2f} s of processor\n", entry.id, s);
  }
  size_t bytes = 0;
  report::write_sections_text(sections, [&](std::string_view text) { bytes += text.size(); });
  double end = now();
  struct rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  fmt::print("{} results: {:.2f} s by the wall (reading {:.2f}); {:.2f} s of processor (reading {:.2f}); peak memory {:.0f} MB; {} bytes of tables\n", study->trials.size(), end - start, read - start, processor(),
             read_processor, double(usage.ru_maxrss) / 1024, bytes);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int64_t given = argc > 1 ? std::atoll(argv[1]) : 0;  // tools/bench names a python instead
  int64_t jobs = given > 0 ? given : 100000;
  std::string folder = argc > 2 ? argv[2] : (std::filesystem::temp_directory_path() / fmt::format("kbx_analyze_bench_{}", ::getpid())).string();
  if (!std::filesystem::exists(folder + "/run.db")) {
    double start = now();
    pid_t child = ::fork();
    if (child == 0) ::_exit(make_store(folder, jobs) ? 0 : 1);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status != 0) {
      fmt::print("the store could not be written\n");
      return 1;
    }
    fmt::print("{} results written in {:.1f} s, {:.0f} MB\n", jobs, now() - start, double(std::filesystem::file_size(folder + "/run.db")) / 1e6);
  }
  int code = measure(folder);
  if (argc <= 2) std::filesystem::remove_all(folder);
  return code;
}
