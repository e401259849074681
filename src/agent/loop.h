// Loop: one task's way to a kernel, as a deterministic state machine: no clock, file, thread or randomness. The same
// events give the same actions, so a run is resumed by stepping from its first event again.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "agent/feedback.h"
#include "model/chat.h"

namespace kbx::agent {

struct EvalId {
  std::string task;
  int round = 0, slot = 0, step = 0;  // step: a repair within a round
  auto operator<=>(const EvalId&) const = default;
};
std::string to_text(const EvalId& id);  // "softmax/0/2/0"

// What a loop asks its surroundings to do.
struct Ask {
  ChatRequest request;
};
struct Evaluate {
  EvalId id;
  std::string code, how;   // how the code was taken from the reply
  bool truncated = false;
  CallId from;             // the reply that it came from
  bool time = true;        // on a card: also measure
};
struct CancelCall {
  CallId id;
};
struct CancelEvaluation {
  EvalId id;
};
// What one slot held at the end of one round: the transition dataset is made of these (GEAK's memory).
struct Memory {
  int round = 0, slot = 0;
  std::string code, strategy, reflection;
  std::optional<double> judge_score;  // the model's own word on its kernel
  Feedback feedback;
  std::vector<CallId> calls;
};
struct Remember {
  Memory memory;
};
// The end. code "": there is none. `chosen` is the evaluation that decided, if one did.
struct Finish {
  std::string code, why;   // how good the code is: "timed", "executes", "called", "raw"; or "none", "budget": there is none
  bool cut_short = false;  // the budget ended before the method did
  std::optional<EvalId> chosen;
  std::vector<Evaluate> samples;  // single_pass with n > 1: all of them, for pass@k
};
using Action = std::variant<Ask, Evaluate, CancelCall, CancelEvaluation, Remember, Finish>;

// What happened.
struct Started {};
struct Replied {
  CallId id;
  ChatResult result;
};
struct Evaluated {
  EvalId id;
  Feedback feedback;
};
struct OutOfBudget {};  // no further call will be made; those in flight still come
using Event = std::variant<Started, Replied, Evaluated, OutOfBudget>;

// What every loop promises: it asks and evaluates nothing twice under one id; an event that it does not wait for (a reply
// to a cancelled call) changes nothing; when nothing is in flight and it is not done, it has just said what to do; the last
// action is one Finish, and none comes after it; after OutOfBudget it asks nothing, takes what is still in flight and
// finishes with the best so far.
class Loop {
 public:
  virtual ~Loop() = default;
  virtual std::vector<Action> step(const Event& event) = 0;
  virtual bool done() const = 0;
  // For the live table: {"round": 1, "state": "waiting for 3 replies", ...}.
  virtual Json state() const = 0;
};

}  // namespace kbx::agent
