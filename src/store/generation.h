// Generation: what `kbx run` adds to a run's database: calls, evaluations, memories, answers (docs/runs.md). Append-only;
// one writer, readers at any time. A run of `kbx eval` has none of it and reads as empty.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/chat.h"
#include "store/store.h"

namespace kbx::store {

// One finished call. Blobs are read with Store::blob().
struct CallRow {
  int64_t seq = 0;                // order of arrival, shared with EvaluationRow; given by append()
  std::string key;
  CallId id;
  std::string model, prompt;
  std::string request, raw;       // blobs; raw "" = nothing came
  Json result;                    // {"reply": chat_reply_json} or {"error": api_error_json}
  bool replied = false;
  Usage usage;
  std::optional<double> usd;      // absent: a price is not known
  double seconds = 0;
  std::string finished;           // UTC
};

// One evaluated candidate of a loop; its Record is the store's, under the same candidate id.
struct EvaluationRow {
  int64_t seq = 0;
  std::string task;
  int round = 0, slot = 0, step = 0;
  std::string candidate, code;    // code: blob
  CallId from;
  std::string how;
  bool truncated = false;
  std::string job;                // key of the record that counts
  Json feedback;                  // agent::feedback_json
  double seconds = 0, gpu_seconds = 0;
};

// What one slot held at the end of one round: rows of the transition dataset.
struct MemoryRow {
  std::string task;
  int round = 0, slot = 0;
  std::string candidate, code;    // "" = never judged; blob, "" = none
  std::string strategy, reflection;
  std::optional<double> judge_score;
  Json feedback;
  std::vector<CallId> calls;
};

struct AnswerRow {
  std::string task;
  std::string candidate, code;    // "" = none
  std::string why;                // "timed", "executes", "called", "raw", "none", "budget"
  std::vector<std::string> samples;  // candidates that count for pass@k; [candidate] unless the method draws n
  bool cut_short = false;         // the budget ended before the method did
};

class Generation {
 public:
  // Creates the tables. The store must outlive it.
  static Result<Generation> open(Store& store);
  static Result<Generation> open_for_reading(const Store& store);
  bool empty() const { return !present_; }  // not a run of `kbx run`

  // Each is one transaction; the number it was given comes back.
  Result<int64_t> append(const CallRow& row);
  Result<int64_t> append(const EvaluationRow& row);
  Result<void> append(const MemoryRow& row);
  Result<void> append(const AnswerRow& row);

  // In order of arrival, of all tasks or of one; the callback returns false to stop.
  Result<void> each_call(const std::function<bool(const CallRow&)>& visit, const std::string& task = "") const;
  Result<void> each_evaluation(const std::function<bool(const EvaluationRow&)>& visit, const std::string& task = "") const;
  // The rows that count, by task, then round and slot.
  Result<std::vector<MemoryRow>> memories() const;
  Result<std::vector<AnswerRow>> answers() const;

 private:
  Generation(sqlite3* db, bool present) : db_(db), present_(present) {}
  Result<int64_t> insert(const char* table, const std::function<void(class Statement&)>& bind, int columns);
  sqlite3* db_;
  bool present_;
  int64_t next_ = 1;
};

Json call_id_json(const CallId& id);
CallId call_id_from(const Json& json);

}  // namespace kbx::store
