// Evolve: rounds of several slots (GEAK, arXiv 2507.23194 and its second version): a generator writes, a judge gives its
// opinion, the engine evaluates, a reflection says why; what is right becomes an ancestor, and with ancestors the generator
// is asked for something faster. docs/methods.md has the rules and the published quirks.
#pragma once
#include "agent/task_loop.h"

namespace kbx::agent {

// Roles: generator, optimise (the generator with ancestors), judge, reflect_fail, reflect_pass. A round ends when all of
// its slots have their reflections; nothing within a round depends on the order in which replies come.
class EvolveLoop final : public TaskLoop {
 public:
  explicit EvolveLoop(LoopParts parts);
  Json state() const override;

 protected:
  void start() override;
  void replied(const CallId& id, const ChatResult& result) override;
  void evaluated(const EvalId& id, const Feedback& feedback) override;
  void advance() override;
  Finish best() const override;

 private:
  struct Attempt {
    int round = -1, slot = 0, born = 0;  // born: the round in which its slot began afresh
    std::string code, strategy, reflection, problem;
    bool cut = false, listed = false;    // listed: among the ancestors
    std::optional<double> score;         // the judge's
    std::optional<Feedback> feedback;
    std::vector<CallId> calls;

    bool right() const { return feedback && feedback->executes; }
    bool timed() const { return right() && feedback->speedup && *feedback->speedup > 0; }
  };

  const Evolve& setting() const { return method().evolve; }
  int last_round() const;  // one behind it
  bool settled(const Attempt& attempt) const;
  bool faster(const Attempt& a, const Attempt& b) const;

  void begin_round();
  void end_round();
  void generated(const CallId& id, const ChatResult& result);
  void judged(const CallId& id, const ChatResult& result);
  void judge_next(int from);  // quirk judge_failure_lost: one after the other
  void ask_judge(int slot);
  void reflect(Attempt& attempt);
  void keep_in_history(const Attempt& attempt);
  void add_ancestor(Attempt& attempt);

  std::string example() const;
  std::string attempts_text(int slot, const std::string& prompt) const;
  std::string ancestors_text(const std::string& prompt) const;
  Finish end_with(const Attempt& attempt) const;

  int round_ = 0, debug_ = 0, generating_ = 0;
  bool solved_ = false;
  std::vector<Attempt> slots_;                // empty: the next round begins afresh
  std::vector<std::vector<Attempt>> history_; // by slot
  std::vector<Attempt> ancestors_;            // best first
  std::optional<Attempt> right_, called_;     // the last of each kind
};

}  // namespace kbx::agent
