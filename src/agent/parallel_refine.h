// ParallelRefine: workers side by side, each mends its own kernel until one is right (KernelAgent); then, if asked for,
// the phase that makes it faster. docs/methods.md has the rules and the published quirks.
#pragma once
#include "agent/optimise_phase.h"

namespace kbx::agent {

// Roles: seed, refine, and those of OptimisePhase. Worker w is slot w; round r is its r-th kernel, 0 the seed. With stop =
// "first_success" the first right kernel to arrive wins and everything else is cancelled: which one that is depends on
// the order of events, and on nothing else.
class ParallelRefineLoop final : public OptimisePhase {
 public:
  explicit ParallelRefineLoop(LoopParts parts) : OptimisePhase(std::move(parts)) {}
  Json state() const override;

 protected:
  void start() override;
  void replied(const CallId& id, const ChatResult& result) override;
  void evaluated(const EvalId& id, const Feedback& feedback) override;
  void advance() override;
  Finish best() const override;

 private:
  struct Past {
    std::string code, error;
  };
  struct Worker {
    int slot = 0, round = 0;
    CodeAnswer answer;       // the kernel it is at
    CallId from;
    std::string problem;     // why the last reply brought no kernel
    std::vector<Past> history;
    std::vector<CallId> calls;
    std::optional<Kernel> right;
    bool ended = false;
  };
  struct Known {             // a kernel that somebody tried
    EvalId id;
    std::optional<Feedback> feedback;  // none: it is being evaluated
    std::vector<int> waiting;          // workers that wrote the same
  };

  const ParallelRefine& setting() const { return method().parallel_refine; }
  bool last_test(const Worker& w) const;
  void seeded(Worker& w, const CallId& id, CodeAnswer answer);
  void refined(Worker& w, const CallId& id, CodeAnswer answer);
  void test(Worker& w);
  void tested(Worker& w, const Feedback& feedback);
  void refine(Worker& w, const Feedback& feedback);
  void succeed(Worker& w, const Feedback& feedback);
  void go_on_with(const Worker& w);
  void consider(const Worker& w, const Feedback& feedback);
  std::string history_text(const Worker& w) const;

  std::vector<Worker> workers_;
  std::map<std::string, Known> known_;   // by canonical hash
  std::optional<Kernel> furthest_;       // of what is not right
  std::optional<Kernel> winner_;
};

}  // namespace kbx::agent
