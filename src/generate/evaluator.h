// Evaluator: candidates of a loop go in, feedback and records come out, several at a time and in any order.
#pragma once
#include <functional>
#include <string>

#include "agent/loop.h"
#include "model/candidate.h"
#include "model/record.h"
#include "model/task.h"

namespace kbx::generate {

struct Judging {
  agent::EvalId id;
  Candidate candidate;       // its id is the text of `id`
  const Task* task = nullptr;
  int64_t ordinal = 0;
};
struct Judged {
  Record record;             // of the cases that count
  agent::Feedback feedback;  // what the loop may learn
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // Never blocks. `done` is called once, from a thread of the evaluator's, and must not block.
  virtual void start(Judging what, std::function<void(Judged)> done) = 0;
  // What has not begun is dropped: `done` is never called, true. Else it goes on, false.
  virtual bool cancel(const agent::EvalId& id) = 0;
  // The key that the record of this candidate will have.
  virtual std::string key_of(const Judging& what) const = 0;
};

}  // namespace kbx::generate
