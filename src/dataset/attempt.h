// Attempt: one judged candidate with what is known of how it came about. Transitions, pairs and rows are made of these.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dataset/scrub.h"
#include "model/chat.h"
#include "model/record.h"
#include "report/analysis/methods.h"
#include "report/runs.h"

namespace kbx::dataset {

// Which profile decides what is right and what is a failure.
enum class Judge : unsigned char { kbx, paper };
std::string_view to_text(Judge judge);

// The question to the model and its answer; only runs of `kbx run` keep them.
struct Call {
  std::string model, request, reply, reasoning;  // request: blob
  Usage usage;
  std::optional<double> usd;
  double seconds = 0;
};
// The request as one text: the system's part, then the messages, each under its speaker when there are several.
std::string prompt_text(const ChatRequest& request);

struct Memory {
  std::string strategy, reflection;
  std::optional<double> judge_score;
};

// What the record said, without the parts that rows do not use.
struct Outcome {
  Verdict verdict = Verdict::harness_error, paper = Verdict::harness_error;
  bool call_ok = false, exe_ok = false, paper_call_ok = false, paper_exe_ok = false;
  std::string error, error_type, rules, flags;  // error: explanation, then the traceback; rules, flags: "; " between
  std::string resources;                        // JSON: one object a kernel and architecture; "" = none
  std::string device, gpu;
  std::optional<double> speedup, low, high, time_us, reference_us, iou, mfu;
  double bytes = 0, flops = 0;                  // that must move and be computed, sums over the sizes of time_us
  int64_t launches = 0;
};

struct Attempt {
  size_t run = 0;  // place in Runs::all()
  int64_t ordinal = 0;
  std::string candidate, task, category, method, source_hash, reply_hash;
  int sample = 0;
  std::optional<int> round, slot, step;  // of a method's run
  std::string code, normal;              // scrubbed; lint::normal_hash of it
  Outcome out;
  std::optional<Call> call;      // that the code came from
  std::optional<Memory> memory;  // of its slot at the end of its round
  std::string started, engine, task_version;

  bool call_ok(Judge j) const { return j == Judge::kbx ? out.call_ok : out.paper_call_ok; }
  bool exe_ok(Judge j) const { return j == Judge::kbx ? out.exe_ok : out.paper_exe_ok; }
  Verdict verdict(Judge j) const { return j == Judge::kbx ? out.verdict : out.paper; }
  // Not the harness' failure, not undecided, and there is code: it may stand at either end of a pair.
  bool decided(Judge j) const { return verdict(j) != Verdict::harness_error && verdict(j) != Verdict::not_judged && !code.empty(); }
  bool timed() const { return out.speedup && out.low && out.high; }
};

// Every candidate of a task in the suite, run after run, in input order. by_rule: how many a rule left out (report::kLeftOut).
Result<std::vector<Attempt>> read_attempts(const report::Runs& runs, const report::MethodRules& rules, ScrubCounts& scrubbed, int64_t& by_rule);

}  // namespace kbx::dataset
