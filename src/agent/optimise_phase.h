// OptimisePhase: makes a right kernel faster (KernelAgent's second half): diagnose, rewrite along each direction, repair,
// look back; keep the fastest. A layer between TaskLoop and the loop that found the kernel.
#pragma once
#include "agent/task_loop.h"

namespace kbx::agent {

// Roles: bottleneck, optimise, refine (repairs, asked as "repair_1", "repair_2", ...), reflexion. It needs times: without
// a card there is nothing to rank by and it ends at once. Rounds of evaluations go on behind those of the first half.
class OptimisePhase : public TaskLoop {
 protected:
  explicit OptimisePhase(LoopParts parts) : TaskLoop(std::move(parts)) {}

  struct Kernel {
    std::string code;
    Feedback feedback;
    EvalId id;
    CallId from;
    bool timed() const { return feedback.executes && feedback.time_us && *feedback.time_us > 0; }
    double time() const { return *feedback.time_us; }
  };

  // Begins with a kernel that is right; evaluations are numbered from `first_round` on. False: there is nothing to do.
  bool begin_optimising(Kernel kernel, int first_round);
  bool optimising() const { return optimising_; }
  void optimise_replied(const CallId& id, const ChatResult& result);
  void optimise_evaluated(const EvalId& id, const Feedback& feedback);
  void optimise_advance();  // the barrier of a round
  Finish best_optimised() const;
  static bool is_optimise_role(const std::string& role);

 private:
  struct Direction {
    int parent = 0;         // place in the beam
    std::string diagnosis;
    CodeAnswer answer;
    CallId from;
    int repairs = 0;
    std::optional<Kernel> result;
    std::vector<CallId> calls;
    std::string lesson;
  };
  struct Past {
    std::string code, outcome;
  };

  const Optimise& setting() const { return method().parallel_refine.optimise; }
  int width() const { return setting().greedy ? 1 : setting().keep; }
  int directions() const { return setting().greedy ? 1 : setting().directions; }
  void begin_optimise_round();
  void diagnosed(const CallId& id, const ChatResult& result);
  void rewritten(const CallId& id, const ChatResult& result);
  void look_back(Direction& d, int slot);
  void test(Direction& d, int slot);
  void tested(Direction& d, int slot, const Feedback& feedback);
  void update_beam();
  std::string history_text() const;
  std::string lessons_text() const;

  bool optimising_ = false;
  int phase_round_ = 0, first_round_ = 0, without_gain_ = 0;
  std::vector<Kernel> beam_;              // the fastest first; greedy: the one to go on from
  std::optional<Kernel> fastest_;
  std::map<int, Direction> directions_;   // of this round, by slot
  std::vector<Past> past_;
  std::vector<std::string> lessons_;
};

}  // namespace kbx::agent
