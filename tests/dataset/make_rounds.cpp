// Writes a run of a method as `kbx run` stores it, through the real store, for the tests of data sets:
//   dataset_make_rounds FOLDER
// 30 tasks of three categories, two slots, three rounds: slot 0 goes from wrong to right to faster, slot 1 from right to
// wrong to a reformatted copy. Made-up times; secrets in code, errors, prompts and reflections.
#include <fmt/format.h>

#include <cstdio>

#include "store/generation.h"

namespace {

using namespace kbx;

constexpr const char* kKey = "sk-test-0123456789abcdefghijABCD";

std::string code_of(int task, int round, int slot) {
  int body = slot == 0 ? round : round == 2 ? 1 : round;  // slot 1, round 2: the program of round 1 in another form
  std::string name = slot == 1 && round == 2 ? "renamed" : "value";
  return fmt::format("import triton\n# round {}\ndef task_{}x(x):\n    {} = x + {}\n    return {}  # for anna@mail.example.org\nKEY = '{}'\n", round, task, name, 10 * slot + body, name, kKey);
}

Timing timing_of(double speedup) {
  Timing t;
  t.gpu = "Made-up card";
  SizeTiming s;
  s.case_name = "large";
  s.candidate_us = 100 / speedup;
  s.reference_us = 100;
  s.speedup = speedup;
  s.low = speedup * 0.98;
  s.high = speedup * 1.02;
  s.bytes = 1e6;
  s.flops = 2e6;
  t.sizes.push_back(s);
  t.speedup = s.speedup;
  t.low = s.low;
  t.high = s.high;
  return t;
}

Record record_of(int task, int round, int slot) {
  Record r;
  r.ordinal = (task * 3 + round) * 2 + slot;
  r.candidate = fmt::format("task_{}x/{}/{}/0", task, round, slot);
  r.job_key = fmt::format("{:064x}", r.ordinal + 1);
  r.task = fmt::format("task_{}x", task);
  r.category = fmt::format("category_{}", task % 3);
  bool right = slot == 0 ? round > 0 : round == 0;
  r.verdict = r.paper = right ? Verdict::correct : Verdict::wrong_value;
  r.call_ok = r.paper_call_ok = true;
  r.exe_ok = r.paper_exe_ok = right;
  if (!right) r.explanation = fmt::format("case_1: expected 0.25, got 0.75 \xe2\x89\xa0; token {} in /home/anna/x.py", kKey);
  if (right) r.timing = timing_of(1 + round);
  r.compiled.push_back({"kernel", 90, true, 32, 0, 0, 0, 1024, 4, 3, 0.2, ""});
  r.device = "cuda:0";
  r.engine_version = "0.1.0";
  r.task_version = "abc";
  r.started = "2030-01-02T03:04:05Z";
  return r;
}

Result<store::CallRow> call_of(store::Store& store, const Record& r, const CallId& id, const std::string& code) {
  ChatRequest request;
  request.id = id;
  request.system = "You write Triton kernels.";
  request.messages = {{Speaker::user, fmt::format("Write {}, round {}. My key is {}.", id.task, id.round, kKey), false}};
  store::CallRow call;
  call.key = r.job_key;
  call.id = id;
  call.model = "some-model";
  KBX_TRY_ASSIGN(call.request, store.put_blob(dump_json(chat_request_json(request))));
  ChatReply reply;
  reply.text = "Here:\n```python\n" + code + "```";
  reply.reasoning = "I thought.";
  reply.model_returned = "some-model-2030";
  call.result = {{"reply", chat_reply_json(reply)}};
  call.replied = true;
  call.usage = {100 + id.round, 0, 0, 50, 20, false};
  if (id.slot == 0) call.usd = 0.25;
  call.seconds = 1.5;
  return call;
}

Result<void> fill(const char* folder) {
  KBX_TRY_ASSIGN(auto store, store::Store::open(folder));
  KBX_TRY_ASSIGN(auto generation, store::Generation::open(store));
  KBX_TRY(store.put_fact("method", "geak"));
  KBX_TRY(store.put_fact("config", {{"device", "cuda:0"}, {"seed", "1"}}));
  KBX_TRY(store.put_fact("versions", {{"kbx", "0.1.0"}, {"torch", "2.13.0"}, {"triton", "3.6.0"}}));
  KBX_TRY(store.put_fact("started", "2030-01-02T03:04:05Z"));
  for (int task = 0; task < 30; task++)
    for (int round = 0; round < 3; round++)
      for (int slot = 0; slot < 2; slot++) {
        Record r = record_of(task, round, slot);
        std::string code = code_of(task, round, slot);
        KBX_TRY_ASSIGN(r.source_hash, store.put_blob(code));
        KBX_TRY_ASSIGN(r.reply_hash, store.put_blob(code));
        KBX_TRY(store.append(r));
        CallId id{r.task, "generator", round, slot, 0};
        KBX_TRY_ASSIGN(store::CallRow call, call_of(store, r, id, code));
        KBX_TRY(generation.append(call));
        store::EvaluationRow evaluation;
        evaluation.task = r.task;
        evaluation.round = round;
        evaluation.slot = slot;
        evaluation.candidate = r.candidate;
        evaluation.code = r.source_hash;
        evaluation.from = id;
        evaluation.how = "fence";
        evaluation.job = r.job_key;
        KBX_TRY(generation.append(evaluation));
        store::MemoryRow memory;
        memory.task = r.task;
        memory.round = round;
        memory.slot = slot;
        memory.candidate = r.candidate;
        memory.code = r.source_hash;
        memory.strategy = fmt::format("strategy {}", round);
        memory.reflection = fmt::format("reflection {} with {}", round, kKey);
        memory.judge_score = 5 + round;
        memory.calls = {id};
        KBX_TRY(generation.append(memory));
      }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: dataset_make_rounds FOLDER\n", stderr);
    return 2;
  }
  auto done = fill(argv[1]);
  if (!done) std::fprintf(stderr, "%s\n", done.error().text().c_str());
  return done ? 0 : 1;
}
