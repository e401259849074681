// Journal: what has happened in a run, written before a loop sees it, and read again when the run is resumed.
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>

#include "agent/loop.h"
#include "generate/evaluator.h"
#include "generate/order.h"
#include "llm/client.h"
#include "store/generation.h"

namespace kbx::generate {

// One event of the past, in the order in which the loop saw it.
struct PastCall {
  std::string key;
  CallId id;
  ChatResult result;
};
struct PastEvaluation {
  agent::EvalId id;
  std::string code_hash;
  agent::Feedback feedback;
  std::string job;
};
using PastEvent = std::variant<PastCall, PastEvaluation>;

// May a resumed run take this result for the call's? Failures that say something of the world (no connection, no key, too
// many requests) and calls that were stopped are asked again.
bool is_final(const ChatResult& result);

class Journal {
 public:
  static Result<Journal> open(store::Store& store);

  // In order; results that are not final are left out.
  Result<std::deque<PastEvent>> past(const std::string& task) const;
  // All that came for a task, as steps of an order.
  Result<std::vector<Step>> came(const std::string& task) const;
  // Every call that was paid for, for the ledger.
  Result<void> each_call(const std::function<bool(const store::CallRow&)>& visit) const { return rows_.each_call(visit); }
  Result<void> each_evaluation(const std::function<bool(const store::EvaluationRow&)>& visit) const { return rows_.each_evaluation(visit); }
  Result<std::vector<store::AnswerRow>> answers() const { return rows_.answers(); }

  Result<void> write(const llm::Exchange& exchange, const std::string& key, std::optional<double> usd);
  // The record too, unless the store has it.
  Result<void> write(const Judging& what, Judged& judged, const CallId& from);
  Result<void> write(const agent::Memory& memory, const std::string& task, const std::string& candidate);
  Result<void> write(const store::AnswerRow& answer) { return rows_.append(answer); }
  Result<std::string> put_text(const std::string& text) { return text.empty() ? Result<std::string>(std::string()) : store_->put_blob(text); }
  store::Store& store() const { return *store_; }

 private:
  Journal(store::Store& store, store::Generation rows) : store_(&store), rows_(std::move(rows)) {}
  store::Store* store_;
  store::Generation rows_;
  std::unordered_map<std::string, std::string> memories_;  // place -> hash of its last row: a resumed run says them again
};

}  // namespace kbx::generate
