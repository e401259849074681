// Writes stored runs for the report's tests, through the real store:
//   report_make_run FOLDER hostile      a small run in which every text that a candidate can choose attacks the page
//   report_make_run FOLDER timed        a small run with made-up times: two cards, sizes without a time, hostile notes
//   report_make_run FOLDER many N       N records of ordinary shape
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "model/efficiency.h"
#include "store/store.h"

namespace {

using namespace kbx;

constexpr const char* kTasks[][2] = {
    {"activation", "gelu"},           {"math", "softmax"},      {"reduce", "argmax"}, {"fusion", "fused_add_mean"},
    {"quantization", "linear_w4a16"}, {"convolution", "conv2d"}};

const std::string kAttack =
    "</script><script>window.pwned=1;alert(1)</script><img src=x onerror=\"window.pwned=1\"><!--<script>'\"`${1}]]>";

std::string source_of(int64_t n, const std::string& more) {
  return fmt::format(
      "import torch\nimport triton\nimport triton.language as tl\n\n\n@triton.jit\ndef kernel_{0}(x, y, n, BLOCK: "
      "tl.constexpr):\n    \"\"\"Candidate {0}.\"\"\"\n"
      "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n    v = tl.load(x + i, mask=i < n)\n    tl.store(y + i, "
      "v * {0}.5e-3, mask=i < n)  # scaled\n\n\n"
      "def run(x):\n    y = torch.empty_like(x)\n    kernel_{0}[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), "
      "BLOCK=256)\n    return y\n{1}",
      n, more);
}

CaseJudgement judged(int k, bool right) {
  CaseJudgement c{fmt::format("case_{}", k), k % 3 == 2 ? "outlier" : "standard", {}};
  for (Judgement* j : {&c.judgements.kbx, &c.judgements.paper}) {
    j->path = "result";
    j->profile = j == &c.judgements.kbx ? Profile::kbx : Profile::paper;
    j->metrics.count = 4096;
    j->metrics.max_abs = 1.19e-7 * (k + 1);
    j->metrics.max_rel = 3.4e-7;
    j->metrics.max_ulp = 1.5;
    j->metrics.l1_rel = 2.2e-8;
    j->metrics.rmse = 1.7e-8;
    j->metrics.cosine = 0.99999994;
    if (right) continue;
    j->verdict = Verdict::wrong_value;
    j->metrics.mismatches = 12 + k;
    j->metrics.nan_got = 3;
    j->explanation = fmt::format(
        "case_{}, result[3, 7]: expected 0.25, got 0.75; |error| 0.5 exceeds 1e-06; {} of 4096 elements differ", k,
        12 + k);
  }
  return c;
}

Record record_of(int64_t n) {
  Record r;
  r.job_key = fmt::format("{:064x}", n + 1);
  r.ordinal = n;
  r.candidate = fmt::format("model_{}.jsonl:{}", n % 4, n + 1);
  r.category = kTasks[n % 6][0];
  r.task = kTasks[n % 6][1];
  r.how = "fence";
  const Verdict verdicts[] = {Verdict::correct,   Verdict::correct, Verdict::wrong_value, Verdict::compile_error,
                              Verdict::delegated, Verdict::correct, Verdict::not_judged};
  r.verdict = verdicts[n % 7];
  r.paper = n % 7 == 4 ? Verdict::correct : r.verdict;
  r.exe_ok = r.verdict == Verdict::correct;
  r.call_ok = r.verdict != Verdict::compile_error;
  r.paper_exe_ok = r.paper == Verdict::correct;
  r.paper_call_ok = r.call_ok;
  if (!r.exe_ok) r.explanation = fmt::format("case_1: what went wrong in candidate {}", n + 1);
  if (r.verdict == Verdict::wrong_value)
    r.findings.push_back(
        {Layer::judge, "wrong_value", Severity::reject, "case_1, result[3, 7]: expected 0.25, got 0.75", 11, 5});
  for (int k = 0; k < 12; k++) {
    r.cases.push_back({fmt::format("case_{}", k), "standard", true, true, "", 0.004, 1});
    r.judgements.push_back(judged(k, r.verdict != Verdict::wrong_value || k != 1));
  }
  for (int arch : {80, 86, 89, 90, 100, 120})
    r.compiled.push_back({fmt::format("kernel_{}", n), arch, true, 32 + int(n % 40), 0, 0, 0, 1024, 4, 3, 0.21, ""});
  r.launches.push_back({fmt::format("kernel_{}", n), {16, 1, 1}, 0.0012, 16384, 16384, 8192, true});
  r.ops = {{"aten.empty_like", 1}};
  r.seconds = 0.2 + double(n % 97) * 0.11;
  r.stage_seconds = {{"lint", 0.002}, {"compile", 0.4}, {"values", 0.3}, {"judge", 0.05}};
  r.seed = 18446744073709551615u;
  r.engine_version = "0.1.0";
  r.task_version = "abcdef0123456789";
  r.started = "2030-01-02T03:04:05Z";
  return r;
}

// Made-up times: no machine measured them. The n-th candidate is (n + 1) / 4 times as fast as eager.
Timing timing_of(int64_t n) {
  Timing t;
  t.gpu = n == 8 ? "NVIDIA Unheard 1" : n % 3 == 2 ? "NVIDIA L20" : "NVIDIA H200";
  t.board = "GPU-" + kAttack;
  t.driver = "580.1";
  double ratio = double(n + 1) / 4;
  for (double us : {6.0, 40.0, 300.0}) {
    SizeTiming s;
    s.case_name = us < 10 ? "small" : us < 100 ? "medium" : "large";
    s.launch_bound = us < 10;
    s.candidate_us = us;
    s.reference_us = us * ratio;
    s.speedup = ratio;
    s.low = ratio / 1.02;
    s.high = ratio * 1.02;
    s.candidate_host_us = us + 12;
    s.reference_host_us = us * ratio + 9;
    s.bytes = us * 1.5e6;
    s.flops = n % 2 ? us * 1.5e6 : us * 2e8;
    s.unit = n % 2 ? "f32" : "f16";
    t.sizes.push_back(s);
  }
  t.sizes[0].notes = {kAttack};
  if (n == 5) t.sizes[2].problem = kAttack;
  std::optional<Peaks> sheet;
  if (const GpuSpec* row = find_gpu_by_driver_name(t.gpu, 0, 0)) sheet = peaks_of(*row);
  Peaks reached = sheet.value_or(Peaks());
  reached.origin = Peaks::Origin::calibrated;
  reached.bandwidth *= 0.9;
  complete(t, sheet ? &*sheet : nullptr, sheet ? &reached : nullptr);
  return t;
}

// Every text that comes from outside attacks at once.
Record hostile_record(int64_t n) {
  Record r = record_of(n);
  r.candidate = kAttack + ".py";
  r.explanation = kAttack;
  r.error_type = r.traceback = r.output = kAttack;
  r.how = r.device = r.task_version = kAttack;
  r.flags = {kAttack};
  r.findings = {{Layer::lint, kAttack, Severity::reject, kAttack, 2, 1},
                {Layer::lint, "plain", Severity::warn, "\xff\xfe not UTF-8 \x01\x02", 999999, 1}};
  r.cases = {{kAttack, kAttack, false, false, kAttack, 0.1, 0}};
  r.judgements = {judged(0, false)};
  r.judgements[0].case_name = r.judgements[0].judgements.kbx.path = r.judgements[0].judgements.kbx.explanation =
      kAttack;
  r.compiled = {{kAttack, 90, false, 0, 0, 0, 0, 0, 0, 0, 0, kAttack}};
  r.launches = {{kAttack, {1, 1, 1}, 0, 0, 0, 0, false}};
  r.ops = {{kAttack, 1}, {"__proto__", 2}};
  r.stage_seconds = {{kAttack, 1.0}};
  return r;
}

Result<void> fill(const char* folder, const std::string& what, int64_t count) {
  bool hostile = what == "hostile";
  KBX_TRY_ASSIGN(auto store, store::Store::open(folder));
  KBX_TRY(store.put_fact("config", {{"seed", "18446744073709551615"},
                                    {"archs", {80, 90}},
                                    {"device", "cpu"},
                                    {"paths", {hostile ? kAttack : std::string("model.jsonl")}}}));
  KBX_TRY(store.put_fact("versions", {{"kbx", "0.1.0"}, {"python", "3.11"}, {"torch", "2.13.0"}, {"triton", "3.6.0"}}));
  KBX_TRY(store.put_fact("started", "2030-01-02T03:04:05Z"));
  if (what == "empty") {  // as kbx run leaves it before a call was answered
    KBX_TRY(store.put_fact("generation", {{"method", kAttack}, {"feedback", "public_only"}, {"models", {{{"name", "m"}, {"id", kAttack}}}}}));
    KBX_TRY(store.put_fact("budget", Json::object()));
    KBX_TRY(store.put_fact("generation_tasks", {"a", "b", "c", "d", "e", "f", "g", "h"}));
  }
  for (int64_t n = 0; n < count; n++) {
    bool attack = hostile && n == 3;
    Record r = attack ? hostile_record(n) : record_of(n);
    if (what == "timed" && r.exe_ok) r.timing = timing_of(n);
    if (hostile && n == 5) r.candidate = "model_0.jsonl:1";  // an id twice
    if (hostile && n == 6) {
      r.in_suite = r.call_ok = r.exe_ok = r.paper_call_ok = r.paper_exe_ok = false;
      r.category.clear();
    }
    KBX_TRY_ASSIGN(r.source_hash,
                   store.put_blob(source_of(n, attack ? "# " + kAttack + "\nTEXT = '''" + kAttack + "\n" : "")));
    KBX_TRY(store.append(r));
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  std::string what = argc > 2 ? argv[2] : "";
  if (what != "hostile" && what != "timed" && what != "empty" && !(what == "many" && argc > 3)) {
    std::fputs("usage: report_make_run FOLDER hostile | FOLDER timed | FOLDER empty | FOLDER many N\n", stderr);
    return 2;
  }
  auto done = fill(argv[1], what, what == "many" ? std::atoll(argv[3]) : what == "empty" ? 0 : 12);
  if (!done) std::fprintf(stderr, "%s\n", done.error().text().c_str());
  return done ? 0 : 1;
}
