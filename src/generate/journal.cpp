#include "generate/journal.h"

#include "base/clock.h"
#include "base/hash.h"
#include "generate/exchange_json.h"

namespace kbx::generate {
namespace {

std::string place_of(const store::MemoryRow& m) { return m.task + "/" + std::to_string(m.round) + "/" + std::to_string(m.slot); }
std::string hash_of(const store::MemoryRow& m) {
  FieldHash hash;
  hash.add(m.candidate).add(m.code).add(m.strategy).add(m.reflection).add(m.judge_score ? dump_json(*m.judge_score) : "").add(dump_json(m.feedback));
  for (const CallId& id : m.calls) hash.add(to_text(id));
  return hash.hex();
}

}  // namespace

bool is_final(const ChatResult& result) {
  const auto* error = std::get_if<ApiError>(&result);
  if (!error) return true;
  if (error->stops_provider) return false;
  switch (error->fault) {
    case ApiFault::invalid:
    case ApiFault::too_large:
    case ApiFault::protocol:
    case ApiFault::refused_by_us:
      return true;
    default:
      return false;
  }
}

Result<Journal> Journal::open(store::Store& store) {
  KBX_TRY_ASSIGN(store::Generation rows, store::Generation::open(store));
  Journal out(store, std::move(rows));
  KBX_TRY_ASSIGN(auto memories, out.rows_.memories());
  for (const store::MemoryRow& m : memories) out.memories_[place_of(m)] = hash_of(m);
  return out;
}

Result<std::deque<PastEvent>> Journal::past(const std::string& task) const {
  std::map<int64_t, PastEvent> in_order;
  KBX_TRY(rows_.each_call([&](const store::CallRow& r) {
    ChatResult result = result_from(r.result);
    if (is_final(result)) in_order.emplace(r.seq, PastCall{r.key, r.id, std::move(result)});
    return true;
  }, task));
  KBX_TRY(rows_.each_evaluation([&](const store::EvaluationRow& r) {
    in_order.emplace(r.seq, PastEvaluation{{r.task, r.round, r.slot, r.step}, r.code, agent::feedback_from(r.feedback), r.job});
    return true;
  }, task));
  std::deque<PastEvent> out;
  for (auto& [seq, event] : in_order) out.push_back(std::move(event));
  return out;
}

Result<std::vector<Step>> Journal::came(const std::string& task) const {
  std::map<int64_t, Step> in_order;
  KBX_TRY(rows_.each_call([&](const store::CallRow& r) {
    in_order.emplace(r.seq, Step{Step::Kind::call, to_text(r.id), r.key, false});
    return true;
  }, task));
  KBX_TRY(rows_.each_evaluation([&](const store::EvaluationRow& r) {
    in_order.emplace(r.seq, Step{Step::Kind::evaluation, agent::to_text({r.task, r.round, r.slot, r.step}), r.code, false});
    return true;
  }, task));
  std::vector<Step> out;
  for (auto& [seq, step] : in_order) out.push_back(std::move(step));
  return out;
}

Result<void> Journal::write(const llm::Exchange& exchange, const std::string& key, std::optional<double> usd) {
  store::CallRow row;
  row.key = key;
  row.id = exchange.request.id;
  row.model = exchange.request.model;
  row.prompt = exchange.request.prompt;
  Json request = chat_request_json(exchange.request);
  request.erase("id");  // so that n samples of one question are one blob
  KBX_TRY_ASSIGN(row.request, store_->put_blob(dump_json(request)));
  if (!exchange.pieces.empty() || exchange.status) {
    KBX_TRY_ASSIGN(row.raw, store_->put_blob(raw_text(exchange)));
  }
  row.result = result_json(exchange.result);
  row.replied = std::holds_alternative<ChatReply>(exchange.result);
  row.usage = usage_of(exchange.result);
  row.usd = usd;
  row.seconds = seconds_of(exchange.result);
  row.finished = utc_now();
  return rows_.append(row).map([](int64_t) {});
}

Result<void> Journal::write(const Judging& what, Judged& judged, const CallId& from) {
  Record& r = judged.record;
  KBX_TRY_ASSIGN(auto stored, store_->find_key(r.job_key));
  if (!stored || (stored->verdict == Verdict::harness_error && r.verdict != Verdict::harness_error)) {
    KBX_TRY_ASSIGN(r.source_hash, store_->put_blob(what.candidate.source));
    KBX_TRY_ASSIGN(r.reply_hash, store_->put_blob(what.candidate.reply));
    KBX_TRY(store_->append(r));
  }
  store::EvaluationRow row;
  row.task = what.id.task;
  row.round = what.id.round;
  row.slot = what.id.slot;
  row.step = what.id.step;
  row.candidate = what.candidate.id;
  KBX_TRY_ASSIGN(row.code, store_->put_blob(what.candidate.source));
  row.from = from;
  row.how = what.candidate.how;
  row.truncated = what.candidate.truncated;
  row.job = r.job_key;
  row.feedback = agent::feedback_json(judged.feedback);
  row.seconds = r.seconds;
  if (auto lease = r.stage_seconds.find("gpu lease"); lease != r.stage_seconds.end()) row.gpu_seconds = lease->second;
  return rows_.append(row).map([](int64_t) {});
}

Result<void> Journal::write(const agent::Memory& memory, const std::string& task, const std::string& candidate) {
  store::MemoryRow row{task, memory.round, memory.slot, candidate, "", memory.strategy, memory.reflection, memory.judge_score, agent::feedback_json(memory.feedback), memory.calls};
  KBX_TRY_ASSIGN(row.code, put_text(memory.code));
  std::string& last = memories_[place_of(row)];
  std::string now = hash_of(row);
  if (last == now) return {};
  last = now;
  return rows_.append(row);
}

}  // namespace kbx::generate
