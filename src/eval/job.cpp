#include "eval/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "base/text.h"
#include "eval/call_cost.h"
#include "eval/candidate_charges.h"
#include "eval/compile_stage.h"
#include "eval/delegation.h"
#include "eval/evidence.h"
#include "eval/on_card.h"
#include "eval/protocol.h"
#include "eval/roots.h"
#include "eval/replay.h"
#include "eval/result_storage.h"
#include "eval/second_look.h"
#include "eval/tape_reading.h"
#include "eval/work_done.h"
#include "judge/judge.h"
#include "lint/lint.h"
#include "sandbox/run.h"

namespace kbx::eval {
namespace {

class JobRun {
 public:
  JobRun(const Job& job, const Bench& bench) : job_(job), task_(*job.task), bench_(bench), config_(bench.config) {}

  Record run() {
    auto start = Steady::now();
    if (job_.candidate.source.empty()) {
      charge({Verdict::no_code, "the reply holds no Python code" + std::string(job_.candidate.truncated ? " (it was cut)" : ""), true, 0});
    } else {
      stage("lint", [&] { return lint(); });
      auto done = stages();
      if (!done) harness_error(done.error());
    }
    close();
    record_.seconds = seconds_since(start);
    return std::move(record_);
  }

  Record& record() { return record_; }

 private:
  template <class F>
  Result<void> stage(const char* name, F work) {
    auto start = Steady::now();
    Result<void> done = work();
    record_.stage_seconds[name] += seconds_since(start);
    if (!done) return tl::unexpected(with_context(std::move(done.error()), fmt::format("in stage {} of {}", name, job_.candidate.id)));
    return done;
  }
  void charge(Charge c) { charges_.push_back(std::move(c)); }
  void charge(std::vector<Charge> list) {
    for (Charge& c : list) charges_.push_back(std::move(c));
  }
  void find(const std::vector<Finding>& list) {
    for (const Finding& f : list) {
      auto same = [&](const Finding& o) { return o.rule == f.rule && o.line == f.line && o.layer == f.layer && o.message == f.message; };
      if (std::none_of(record_.findings.begin(), record_.findings.end(), same)) record_.findings.push_back(f);
    }
  }

  Result<void> lint() {
    if (!config_.lint) return {};
    lint::LintInput input;
    input.source = job_.candidate.source;
    auto names = accepted_entries(job_.candidate, task_);
    input.entry = names.front();
    input.accepted_entries = names;
    input.quantization_task = task_.quantized;
    auto findings = lint::lint(input);
    find(findings);
    for (const Finding& f : findings) {
      // Whether the file parses and defines the entry is python's to say; lint only points at the place.
      if (f.severity != Severity::reject || f.rule == "entry_missing" || f.rule == "syntax_error") continue;
      Charge c{Verdict::constraint_violation, fmt::format("{}{} ({})", f.line ? fmt::format("line {}: ", f.line) : "", f.message, f.rule), false, f.line};
      if (f.rule == "no_triton_kernel" || f.rule == "unreachable_kernel") undone_.push_back(std::move(c));
      else charge(std::move(c));
    }
    return {};
  }

  Result<void> stages() {
    std::shared_ptr<const TaskTruth> truth;
    KBX_TRY(stage("reference", [&]() -> Result<void> {
      KBX_TRY_ASSIGN(truth, bench_.truths.get(task_));
      return {};
    }));
    if (config_.compile) {
      KBX_TRY(stage("compile", [&] { return compile(*truth); }));
      if (compile_refused_ || bench_.stages == Bench::Stages::compile) return {};
    }
    sandbox::Outcome out;
    KBX_TRY(stage("values", [&]() -> Result<void> {
      KBX_TRY_ASSIGN(out, sandbox::run(bench_.server, request(sandbox::Role::value, *truth)));
      return {};
    }));
    KBX_TRY(stage("judge", [&] { return judge(*truth, out); }));
    uncounted_ = uncounted_charge(task_, *truth, out);
    if (config_.compile) find(not_compiled(record_.compiled, out));
    if (auto charge = work_charge(task_, *truth, out)) undone_.push_back(std::move(*charge));
    if (auto charge = storage_charge(task_, *truth, out)) undone_.push_back(std::move(*charge));
    auto stands = [&] { return charges_.empty() && undone_.empty(); };
    if (config_.replay && stands()) KBX_TRY(stage("replay", [&] { return replay_tapes(*truth, out); }));
    if (config_.second_look && stands()) KBX_TRY(stage("second look", [&]() -> Result<void> { return look_again(*truth, out), Result<void>(); }));
    if (!config_.card || !out.loaded) return {};
    if (stands()) KBX_TRY(stage("compile for the card", [&] { return compile_for_card(); }));
    return stage("gpu", [&] { return on_card(*truth); });
  }

  // The card decides what it can see: exceptions and values. What the machine and the recorder saw stays beside it.
  Result<void> on_card(const TaskTruth& truth) {
    KBX_CHECK(bench_.cards);
    std::vector<Charge> without = std::exchange(charges_, {});
    bool replayed = std::find(record_.flags.begin(), record_.flags.end(), "replayed") != record_.flags.end();
    std::erase_if(record_.flags, [](const std::string& f) { return f == "replayed" || starts_with(f, "in_process") || starts_with(f, "tape: "); });
    record_.cases.clear(), record_.judgements.clear();
    record_.error_type.clear(), record_.traceback.clear();
    KBX_TRY(run_on_card(truth, replayed));
    auto stays = [](const Charge& c) {
      return c.verdict == Verdict::constraint_violation || c.verdict == Verdict::compile_error || c.verdict == Verdict::illegal_memory_access ||
             c.verdict == Verdict::data_race || c.verdict == Verdict::delegated || c.replay;
    };
    bool right = charges_.empty();
    if (right && undone_.empty() && uncounted_) charge(*uncounted_);
    for (Charge& c : without) {
      if (stays(c)) charge(std::move(c));
      else if (right && c.verdict != Verdict::not_judged) record_.flags.push_back("right on the GPU, without one " + std::string(to_text(c.verdict)) + ": " + c.explanation);
    }
    return {};
  }

  // `replayed`: all cases were, on the machine. If not, the card plays all: one that fails there on purpose would choose the few.
  Result<void> run_on_card(const TaskTruth& truth, bool replayed) {
    KBX_TRY_ASSIGN(auto unseen, replayed ? bench_.truths.get_unseen_on_card(task_) : bench_.truths.get_unseen(task_));  // before the card is ours
    auto start = Steady::now();
    OnCard card(task_, config_, *bench_.cards, truth, replayed ? device_replay_cases(truth) : replay_cases(truth));
    record_.stage_seconds["gpu slot"] = seconds_since(start);
    auto ask = request(sandbox::Role::gpu, truth);
    bool judged = false;
    auto right = [&](const sandbox::Outcome& so_far) {
      judged = true;
      auto done = judge(truth, so_far);
      return done && charges_.empty() && undone_.empty();
    };
    KBX_TRY(card.complete(ask, right));
    start = Steady::now();
    KBX_TRY_ASSIGN(sandbox::Outcome out, sandbox::run(bench_.server, ask));
    record_.stage_seconds["gpu child"] = seconds_since(start) - out.waited_seconds - out.prepare_seconds;
    if (!judged) KBX_TRY(judge(truth, out));
    else charge(charges_of_process(out));
    if (charges_.empty() && undone_.empty()) {
      KBX_TRY_ASSIGN(CardFindings found, card.finish(out, *unseen));
      charge(std::move(found.charges));
      find(found.findings);
      record_.flags.insert(record_.flags.end(), found.flags.begin(), found.flags.end());
      charge(unreplayed(config_, charges_, record_.flags));
      record_.timing = std::move(found.timing);
      record_.stage_seconds.insert(found.seconds.begin(), found.seconds.end());
    }
    card.leave();
    record_.stage_seconds["gpu lease"] = card.lease_seconds();
    return {};
  }

  sandbox::Request request(sandbox::Role role, const TaskTruth& truth) const {
    sandbox::Request r;
    r.role = role;
    r.source = job_.candidate.source;
    r.entries = accepted_entries(job_.candidate, task_);
    r.protocol = protocol_of(task_);
    r.archs = config_.archs;
    r.arch = config_.archs.front();
    r.threads = config_.kernel_threads;
    r.kernel_seconds = config_.kernel_seconds;
    r.limits = config_.limits;
    r.jail = config_.jail;
    r.tape = config_.replay && role == sandbox::Role::value;
    if (kernels_ && role == sandbox::Role::gpu) r.kernels = &*kernels_;
    for (const CaseTruth& c : truth.cases)
      for (int k = 0; k < (role == sandbox::Role::compile ? 1 : c.calls()); k++) {
        sandbox::CallStep step;
        step.call = &c.call;
        step.names = &c.names;
        step.mutates = task_.mutates;
        r.steps.push_back(std::move(step));
      }
    return r;
  }

  Result<void> compile(const TaskTruth& truth) {
    KBX_TRY_ASSIGN(auto calls, bench_.truths.get_calls(task_));
    KBX_CHECK(calls->cases.size() == truth.cases.size());
    auto ask = request(sandbox::Role::compile, *calls);
    ask.compile_seconds = config_.compile_seconds;
    KBX_TRY_ASSIGN(CompileFindings found, compile_candidate(bench_.server, std::move(ask), config_, *calls, {}));
    compile_refused_ = found.refused;
    charge(std::move(found.charges));
    find(found.findings);
    record_.compiled = std::move(found.compiled);
    record_.flags.insert(record_.flags.end(), found.flags.begin(), found.flags.end());
    if (!found.output.empty()) record_.output = found.output;
    if (found.error) {
      record_.error_type = found.error->type;
      record_.traceback = found.error->traceback;
    }
    return {};
  }

  // Every kernel of the cases and sizes, so that the card does not wait for a compiler. What is found was found before.
  Result<void> compile_for_card() {
    KBX_TRY_ASSIGN(kernels_, sandbox::KernelCache::create());
    KBX_TRY_ASSIGN(auto calls, bench_.truths.get_calls(task_));
    auto ask = request(sandbox::Role::compile, *calls);
    ask.kernels = &*kernels_;
    ask.compile_seconds = config_.card->compile_seconds;
    std::vector<PerfCall> sizes;
    if (config_.card->timing) {
      KBX_TRY_ASSIGN(sizes, perf_calls(task_));
    }
    KBX_TRY(compile_candidate(bench_.server, std::move(ask), config_, *calls, sizes));
    return {};
  }

  Result<void> judge(const TaskTruth& truth, const sandbox::Outcome& out) {
    charge(charges_of_process(out));
    record_.output = out.output;
    if (out.output_bytes > int64_t(out.output.size()) + 64) record_.flags.push_back(fmt::format("printed {} bytes, cut", out.output_bytes));
    if (out.load_error) {
      record_.error_type = out.load_error->type;
      record_.traceback = out.load_error->traceback;
      return {};
    }
    size_t at = 0;
    std::vector<Launch> launches;
    std::map<std::string, int64_t> ops;
    for (const CaseTruth& c : truth.cases) {
      size_t first = at;
      at += size_t(c.calls());
      for (size_t k = first; k < at && k < out.steps.size(); k++) note_step(c, out.steps[k], launches, ops);
      if (first < out.steps.size()) judge_case(c, out, first, at);
    }
    record_.call_ok = !out.steps.empty() && out.steps.front().ok;
    auto taped = std::find_if(out.steps.begin(), out.steps.end(), [](const auto& s) { return s.tape.has_value(); });
    if (taped != out.steps.end())
      for (std::string& flag : tape_flags(*taped->tape, read_tape(*taped->tape))) record_.flags.push_back(std::move(flag));
    bool any_returned = std::any_of(out.steps.begin(), out.steps.end(), [](const auto& s) { return s.ok; });
    // A call that only a card can make (a CUDA graph) may have launched what is missing here.
    bool out_of_reach = launches.empty() && std::any_of(out.steps.begin(), out.steps.end(), [](const auto& s) { return s.error && s.error->kind == "not_judged"; });
    if (any_returned && !out_of_reach && config_.delegation) {
      Delegation d = find_delegation(task_, launches, ops);
      charge(std::move(d.charges));
      find(d.findings);
      record_.flags.insert(record_.flags.end(), d.flags.begin(), d.flags.end());
    }
    record_.ops = std::move(ops);
    return {};
  }

  void note_step(const CaseTruth& c, const sandbox::StepResult& step, std::vector<Launch>& launches, std::map<std::string, int64_t>& ops) {
    record_.cases.push_back({c.which->name, c.phase, step.answered, step.ok,
                             step.error ? step.error->type + ": " + step.error->message.substr(0, 300) : std::string(), step.seconds, int(step.launches.size())});
    if (step.error && record_.error_type.empty()) {
      record_.error_type = step.error->type;
      record_.traceback = step.error->traceback;
    }
    find(step.findings);
    charge(charges_of_step(c, step));
    if (!step.ok) return;
    keep_launches(c, step);
    launches.insert(launches.end(), step.launches.begin(), step.launches.end());
    for (const auto& [op, n] : step.ops) ops[op] += n;
    if (step.tape)  // what its tape holds and its own count hides
      for (const std::string& op : operators_of(*step.tape)) ops.try_emplace(op, 1);
  }

  // The largest call says most about the kernels: with tiny inputs everything is overhead.
  void keep_launches(const CaseTruth& c, const sandbox::StepResult& step) {
    if (step.launches.empty() || c.phase != "standard") return;
    CallCost cost = call_cost(task_, *c.which, c.call).value_or(CallCost{c.which->name, 0, 0, ""});
    if (record_.cost && record_.cost->bytes >= cost.bytes) return;
    record_.launches = step.launches;
    record_.cost = std::move(cost);
  }

  void judge_case(const CaseTruth& c, const sandbox::Outcome& out, size_t first, size_t end) {
    const sandbox::StepResult& step = out.steps[first];
    if (!step.ok || !c.which->raises.empty()) return;
    const sandbox::StepResult* again = end - first > 1 && first + 1 < out.steps.size() && out.steps[first + 1].ok ? &out.steps[first + 1] : nullptr;
    auto changed = mutated_roots(step.mutated);
    for (const auto& [root, expected] : c.roots) {
      const Value& got = root == "result" ? step.result : changed[root];
      judge::Evidence e = evidence_for(task_, c, root, expected);
      e.got = &got;
      if (root == "result" && again) e.got_again = &again->result;
      for (Judgements& j : judge::judge_result(e)) note_judgement(c, std::move(j), root == "result");
    }
  }

  Result<void> replay_tapes(const TaskTruth& truth, const sandbox::Outcome& first) {
    KBX_TRY_ASSIGN(auto unseen, bench_.truths.get_unseen(task_));
    KBX_TRY_ASSIGN(Replayed again, replay(bench_.server, task_, config_, truth, *unseen, first));
    charge(std::move(again.charges));
    find(again.findings);
    record_.flags.insert(record_.flags.end(), again.flags.begin(), again.flags.end());
    if (!config_.card) charge(unreplayed(config_, charges_, record_.flags));
    return {};
  }

  // Never decides anything: what it finds are warnings.
  void look_again(const TaskTruth& truth, const sandbox::Outcome& first) {
    std::vector<int64_t> programs;
    size_t at = 0;
    for (const CaseTruth& c : truth.cases) {
      int64_t sum = 0;
      if (at < first.steps.size())
        for (const Launch& l : first.steps[at].launches) sum += int64_t(l.grid[0]) * l.grid[1] * l.grid[2];
      programs.push_back(sum);
      at += size_t(c.calls());
    }
    auto cases = second_look_cases(truth, programs);
    if (!cases.empty()) find(second_look(bench_.server, request(sandbox::Role::value, truth), task_, truth, cases, record_.findings));
  }

  void note_judgement(const CaseTruth& c, Judgements j, bool returned) {
    auto verdict = [&](Verdict v) { return v == Verdict::wrong_value && c.phase == "outlier" ? Verdict::wrong_value_outlier : v; };
    if (j.kbx.verdict != Verdict::correct) charge({verdict(j.kbx.verdict), place(c) + ", " + j.kbx.explanation, false, 0});
    if (j.paper.verdict != Verdict::correct && returned && counts_for_paper(c)) paper_.push_back({verdict(j.paper.verdict), j.paper.explanation, true, 0});
    record_.judgements.push_back({c.which->name, c.phase, std::move(j)});
  }

  void harness_error(const Error& error) {
    charge({Verdict::harness_error, error.text(), true, 0});
    record_.retryable = error.code == Code::sandbox || error.code == Code::io || error.code == Code::store;
  }

  // The one exit: everything that was charged becomes the verdict.
  void close() {
    // That work is not done means nothing in text that is no Python or that defines another function.
    auto broken = [](const Charge& c) { return c.verdict == Verdict::syntax_error || c.verdict == Verdict::entry_missing; };
    if (std::none_of(charges_.begin(), charges_.end(), broken)) charge(std::move(undone_));
    record_.verdict = decide(charges_);
    std::vector<Charge> published = charges_;
    published.insert(published.end(), paper_.begin(), paper_.end());
    record_.paper = decide_paper(published);
    if (const Charge* c = headline(charges_)) record_.explanation = c->explanation;
    for (const Charge& c : charges_)
      if (c.verdict != Verdict::constraint_violation) find_charge(c);
    record_.call_ok = record_.call_ok && record_.verdict > Verdict::constraint_violation;
    record_.exe_ok = record_.verdict == Verdict::correct;
    record_.paper_call_ok = implies_call(record_.paper) || record_.paper == Verdict::correct;
    record_.paper_exe_ok = record_.paper == Verdict::correct;
  }
  // Every charge stays visible as a finding, the headline's siblings too.
  void find_charge(const Charge& c) {
    Severity severity = c.verdict == Verdict::not_judged || c.verdict == Verdict::harness_error ? Severity::note : Severity::reject;
    find({{Layer::judge, std::string(to_text(c.verdict)), severity, c.explanation, c.line, 0}});
  }

  const Job& job_;
  const Task& task_;
  const Bench& bench_;
  const EvalConfig& config_;
  Record record_;
  std::vector<Charge> charges_, paper_, undone_;  // undone_: no kernel that could run (lint), too little work, or the wrong memory
  std::optional<Charge> uncounted_;
  bool compile_refused_ = false;
  std::optional<sandbox::KernelCache> kernels_;  // what the compile child made, for the card
};

}  // namespace

Record run_job(const Job& job, const Bench& bench) {
  if (!job.task) {
    Record r = blank_record(job, bench.config);
    r.in_suite = false;
    r.verdict = r.paper = Verdict::not_judged;
    r.explanation = fmt::format("the suite has no task {}", job.candidate.task);
    for (const Finding& f : job.candidate.findings)
      if (f.rule == "unknown_task") r.explanation = f.message;
    return r;
  }
  JobRun run(job, bench);
  run.record() = blank_record(job, bench.config);
  run.record().category = job.task->category;
  run.record().task = job.task->name;
  run.record().task_version = job.task->version;
  return run.run();
}

}  // namespace kbx::eval
