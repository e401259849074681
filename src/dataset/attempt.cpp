// Attempts: see the header.
#include "dataset/attempt.h"

#include <set>

#include "base/text.h"
#include "lint/normal_form.h"
#include "store/generation.h"

namespace kbx::dataset {
namespace {

constexpr size_t kErrorMost = 8000;  // bytes of an error's text

std::string joined(const std::set<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : "; ") + item;
  return out;
}

std::string resources_of(const Record& r) {
  if (r.compiled.empty()) return "";
  Json out = Json::array();
  for (const Compiled& c : r.compiled)
    out.push_back({{"kernel", clean_utf8(c.kernel)}, {"arch", c.arch}, {"ok", c.ok}, {"registers", c.registers}, {"spill_bytes", c.spill_stores + c.spill_loads}, {"shared_bytes", c.shared},
                   {"num_warps", c.num_warps}, {"num_stages", c.num_stages}});
  return dump_json(out);
}

void put_times(const Timing& t, Outcome& out) {
  out.gpu = t.gpu;
  out.speedup = t.speedup;
  out.low = t.low;
  out.high = t.high;
  out.iou = t.iou;
  out.mfu = t.mfu;
  if (!t.speedup) return;
  out.time_us = out.reference_us = 0.0;
  for (const SizeTiming& s : t.sizes) {
    if (!s.compared) continue;
    *out.time_us += s.candidate_us;
    *out.reference_us += s.reference_us;
    out.bytes += s.bytes;
    out.flops += s.flops;
  }
}

Outcome outcome_of(const Record& r, ScrubCounts& scrubbed) {
  Outcome out;
  out.verdict = r.verdict;
  out.paper = r.paper;
  out.call_ok = r.call_ok;
  out.exe_ok = r.exe_ok;
  out.paper_call_ok = r.paper_call_ok;
  out.paper_exe_ok = r.paper_exe_ok;
  std::string error = r.explanation;
  if (!r.traceback.empty()) error += (error.empty() ? "" : "\n") + r.traceback;
  out.error = scrub(clean_utf8(error, kErrorMost), scrubbed);
  out.error_type = clean_utf8(r.error_type, 200);
  std::set<std::string> rules;
  for (const Finding& f : r.findings) rules.insert(clean_utf8(f.rule, 200));
  out.rules = joined(rules);
  out.flags = clean_utf8(joined({r.flags.begin(), r.flags.end()}), 1000);
  out.resources = resources_of(r);
  out.device = r.device;
  for (const CaseRun& c : r.cases) out.launches += c.launches;
  if (r.timing) put_times(*r.timing, out);
  return out;
}

// What a run of `kbx run` knows beyond its records.
struct Making {
  std::map<std::string, Call> calls;                              // by to_text(CallId)
  std::map<std::string, store::EvaluationRow> evaluations;        // by candidate
  std::map<std::string, store::MemoryRow> memories;               // by "task/round/slot"
};

std::string slot_key(const std::string& task, int round, int slot) { return task + "/" + std::to_string(round) + "/" + std::to_string(slot); }

Result<Making> read_making(const store::Store& store, ScrubCounts& scrubbed) {
  Making out;
  KBX_TRY_ASSIGN(store::Generation generation, store::Generation::open_for_reading(store));
  if (generation.empty()) return out;
  KBX_TRY(generation.each_evaluation([&](const store::EvaluationRow& row) {
    out.evaluations[row.candidate] = row;
    out.calls[to_text(row.from)];
    return true;
  }));
  KBX_TRY(generation.each_call([&](const store::CallRow& row) {
    auto wanted = out.calls.find(to_text(row.id));  // the last row of a place counts
    if (wanted == out.calls.end() || !row.replied) return true;
    ChatReply reply = chat_reply_from(get(row.result, "reply"));
    wanted->second = {reply.model_returned.empty() ? row.model : reply.model_returned, row.request, scrub(clean_utf8(reply.text), scrubbed), scrub(clean_utf8(reply.reasoning), scrubbed),
                      row.usage, row.usd, row.seconds};
    return true;
  }));
  KBX_TRY_ASSIGN(auto memories, generation.memories());
  for (auto& m : memories) out.memories[slot_key(m.task, m.round, m.slot)] = std::move(m);
  return out;
}

void add_making(const Making& making, Attempt& a, ScrubCounts& scrubbed) {
  auto row = making.evaluations.find(a.candidate);
  if (row == making.evaluations.end()) return;
  const store::EvaluationRow& e = row->second;
  a.round = e.round;
  a.slot = e.slot;
  a.step = e.step;
  auto call = making.calls.find(to_text(e.from));
  if (call != making.calls.end() && !call->second.request.empty()) a.call = call->second;
  auto memory = making.memories.find(slot_key(e.task, e.round, e.slot));
  if (memory == making.memories.end()) return;
  const store::MemoryRow& m = memory->second;
  a.memory = Memory{scrub(clean_utf8(m.strategy), scrubbed), scrub(clean_utf8(m.reflection), scrubbed), m.judge_score};
}

}  // namespace

std::string_view to_text(Judge judge) { return judge == Judge::kbx ? "kbx" : "paper"; }

std::string prompt_text(const ChatRequest& request) {
  std::string out = request.system;
  for (const ChatMessage& m : request.messages) {
    if (!out.empty()) out += "\n\n";
    if (request.messages.size() > 1) out += m.speaker == Speaker::user ? "User:\n" : "Assistant:\n";
    out += m.text;
  }
  return out;
}

Result<std::vector<Attempt>> read_attempts(const report::Runs& runs, const report::MethodRules& rules, ScrubCounts& scrubbed, int64_t& by_rule) {
  std::vector<Attempt> out;
  for (size_t run = 0; run < runs.all().size(); run++) {
    const report::Runs::Run& from = runs.all()[run];
    KBX_TRY_ASSIGN(Making making, read_making(from.store, scrubbed));
    Result<void> whole;
    KBX_TRY(from.store.each([&](const Record& r) {
      if (!r.in_suite) return true;
      std::string method = report::method_of(rules, from.label, from.facts, r.candidate).name;
      if (method == report::kLeftOut) {
        by_rule++;
        return true;
      }
      Attempt a;
      a.run = run;
      a.ordinal = r.ordinal;
      a.candidate = clean_utf8(r.candidate, 1000);
      a.task = r.task;
      a.category = r.category;
      a.method = clean_utf8(method, 200);
      a.source_hash = r.source_hash;
      a.reply_hash = r.reply_hash;
      a.sample = r.sample;
      Result<std::string> code = r.source_hash.empty() ? Result<std::string>("") : from.store.blob(r.source_hash);
      if (!code) {
        whole = tl::unexpected(with_context(std::move(code.error()), "reading the code of " + r.candidate + "; the run is damaged: restore it from a copy"));
        return false;
      }
      a.code = scrub(clean_utf8(*code), scrubbed);
      a.normal = lint::normal_hash(a.code, r.task);
      a.out = outcome_of(r, scrubbed);
      a.started = r.started;
      a.engine = r.engine_version;
      a.task_version = r.task_version;
      add_making(making, a, scrubbed);
      out.push_back(std::move(a));
      return true;
    }));
    KBX_TRY(whole);
  }
  return out;
}

}  // namespace kbx::dataset
