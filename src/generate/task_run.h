// TaskRun: one task's loop, what it waits for, and its past. Hands the loop events of the past first, in their order;
// what then is still open is for the scheduler to start. Knows nothing of clients, evaluators or files.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/loop.h"
#include "generate/inbox.h"
#include "generate/journal.h"
#include "model/task.h"

namespace kbx::generate {

struct OpenCall {
  ChatRequest request;
  std::string key;
  bool started = false, cancelled = false;
};
struct OpenEvaluation {
  agent::Evaluate what;
  std::string code;         // hash
  bool started = false, cancelled = false;
  bool of_loop = true;      // false: asked for by the scheduler, once the loop was done
};

inline Step step_of(const CallId& id, const OpenCall& open) { return {Step::Kind::call, to_text(id), open.key, open.cancelled}; }
inline Step step_of(const agent::EvalId& id, const OpenEvaluation& open) { return {Step::Kind::evaluation, agent::to_text(id), open.code, open.cancelled}; }
inline Step step_of(const agent::EvalId& id, const OpenEvaluation& open, const agent::Feedback& feedback) {
  Step step = step_of(id, open);
  step.feedback = agent::feedback_json(feedback);
  return step;
}

class TaskRun {
 public:
  using KeyOf = std::function<std::string(const ChatRequest&)>;
  TaskRun(const Task& task, size_t index, std::unique_ptr<agent::Loop> loop, std::deque<PastEvent> past, KeyOf key_of);

  // The first event, and all of the past that follows from it.
  void begin();
  // Something happened now; what of the past follows from it follows at once.
  void take(const agent::Event& event);
  // What was opened from outside may have its answer in the past.
  void catch_up();
  // Writes down, for Evaluate actions to come, which code was judged under which id.
  void learn(const agent::EvalId& id, const std::string& code, const agent::Feedback& feedback, const std::string& job);

  const Task& task() const { return task_; }
  size_t index() const { return index_; }
  const agent::Loop& loop() const { return *loop_; }
  std::map<CallId, OpenCall>& calls() { return calls_; }
  std::map<agent::EvalId, OpenEvaluation>& evaluations() { return evaluations_; }
  const std::optional<agent::Finish>& finish() const { return finish_; }
  // What was taken from the past or given now: the text of a reply, for the candidate made of it.
  std::string reply_of(const CallId& id) const;
  // Memories since the last call.
  std::vector<agent::Memory> take_memories() { return std::exchange(memories_, {}); }
  // Calls and evaluations that the loop waits for no more, since the last call. They stay in the lists above, marked.
  std::vector<CallId> take_cancelled_calls() { return std::exchange(cancelled_calls_, {}); }
  std::vector<agent::EvalId> take_cancelled_evaluations() { return std::exchange(cancelled_evaluations_, {}); }

  struct Known {
    agent::EvalId id;
    std::string code;  // hash
    agent::Feedback feedback;
    std::string job;
  };
  // A failure of ours is no verdict on the code.
  friend bool usable(const Known* known) { return known && known->feedback.verdict != Verdict::harness_error; }
  const Known* known(const std::string& code) const;
  const Known* judged(const agent::EvalId& id) const;
  // Judged in this slot and round, else anywhere; null when this code never was.
  const Known* known_at(int round, int slot, const std::string& text) const;
  std::optional<Verdict> last_verdict() const { return last_verdict_; }

  bool told_out_of_budget = false;
  bool follows = false;                             // a recorded order
  std::map<agent::EvalId, ArrivedEvaluation> held;  // judged before the recorded order wants it
  std::map<std::string, std::vector<agent::EvalId>> followers;  // code in flight -> others that have the same

 private:
  void step(const agent::Event& event);
  void act(agent::Action&& action);
  bool replay_one();

  const Task& task_;
  size_t index_;
  std::unique_ptr<agent::Loop> loop_;
  std::deque<PastEvent> past_;
  KeyOf key_of_;
  std::map<CallId, OpenCall> calls_;
  std::map<agent::EvalId, OpenEvaluation> evaluations_;
  std::map<CallId, std::string> replies_;
  std::map<std::string, Known> by_code_;
  std::map<agent::EvalId, Known> by_id_;
  std::optional<agent::Finish> finish_;
  std::vector<agent::Memory> memories_;
  std::vector<CallId> cancelled_calls_;
  std::vector<agent::EvalId> cancelled_evaluations_;
  std::optional<Verdict> last_verdict_;
};

}  // namespace kbx::generate
