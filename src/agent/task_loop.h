// TaskLoop: what every loop has in common: what is in flight, the end of the budget, and the promise that each event
// leads on or to Finish. A loop says what it wants through ask(), evaluate() and finish(); nothing comes after finish().
#pragma once
#include <functional>
#include <map>
#include <set>

#include "agent/answer.h"
#include "agent/corpus.h"
#include "agent/loop.h"
#include "agent/prompt_store.h"

namespace kbx::agent {

// Everything must outlive the loop but the facts.
struct LoopParts {
  const Method& method;
  const PromptStore& prompts;
  const Corpus& corpus;  // one-shot examples; may be empty
  TaskFacts facts;
};

class TaskLoop : public Loop {
 public:
  std::vector<Action> step(const Event& event) final;
  bool done() const final { return done_; }
  Json state() const override;

 protected:
  explicit TaskLoop(LoopParts parts) : parts_(std::move(parts)) {}

  virtual void start() = 0;
  // The reply to a call in flight.
  virtual void replied(const CallId& id, const ChatResult& result) = 0;
  virtual void evaluated(const EvalId& id, const Feedback& feedback) = 0;
  // Nothing is in flight: ask, evaluate or finish. Whoever does none of them is finished with best().
  virtual void advance() = 0;
  virtual Finish best() const = 0;

  const Method& method() const { return parts_.method; }
  const TaskFacts& facts() const { return parts_.facts; }
  const PromptStore& prompts() const { return parts_.prompts; }
  const Corpus& corpus() const { return parts_.corpus; }

  // A question of `role` with the facts' and these fields. False: there is no budget, nothing was asked.
  bool ask(const std::string& role, int round, int slot, const Fields& fields);
  bool ask(const std::string& role, int round, int slot, const Fields& fields, std::optional<double> temperature);
  // Within replied(): this reply was of no use: the same question once more, with why. False: not allowed (any more).
  bool ask_again(const CodeAnswer& answer);
  void evaluate(const EvalId& id, const CodeAnswer& answer, const CallId& from);
  void remember(Memory memory) { actions_.push_back(Remember{std::move(memory)}); }
  void cancel_all();
  void cancel_if(const std::function<bool(int slot)>& chosen);
  void finish(Finish end);
  void no_more_calls() { out_of_budget_ = true; }
  bool out_of_budget() const { return out_of_budget_; }
  std::string role_prompt(const std::string& role) const;

 private:
  void handle(const Event& event);
  const Role* role_setting(const std::string& role) const;
  ChatRequest request(const std::string& role, CallId id, const Fields& fields, std::optional<double> temperature) const;

  LoopParts parts_;
  struct Call {
    ChatRequest request;
    std::string question;  // the user's text without a note why it is asked again
  };
  std::map<CallId, Call> calls_;         // in flight
  Call answered_;                        // whose reply is being handled
  std::set<EvalId> evaluations_;
  std::vector<Action> actions_;          // of this step
  bool started_ = false, done_ = false, out_of_budget_ = false;
};

}  // namespace kbx::agent
