// SinglePass: n samples of one question, one of them chosen.
#pragma once
#include "agent/task_loop.h"

namespace kbx::agent {

// Role "solver". Sample i is slot i of round 0. With select = first nothing is evaluated on the way: the first sample (by
// slot, not by time) that holds code is the answer. Else every sample is evaluated, and the best (how far it got) or the
// fastest right one is chosen; of equals the first. Finish lists every sample that was answered, those without code too.
class SinglePassLoop final : public TaskLoop {
 public:
  explicit SinglePassLoop(LoopParts parts) : TaskLoop(std::move(parts)) {}

 protected:
  void start() override;
  void replied(const CallId& id, const ChatResult& result) override;
  void evaluated(const EvalId& id, const Feedback& feedback) override;
  void advance() override { finish(best()); }
  Finish best() const override;

 private:
  struct Sample {
    Evaluate evaluation;
    std::optional<Feedback> feedback;
  };
  std::map<int, Sample> samples_;  // by slot
};

}  // namespace kbx::agent
