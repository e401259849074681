// Watcher: how a generation run tells the outside what happens. Called from the scheduler's thread.
#pragma once
#include <optional>
#include <string>

#include "generate/ledger.h"
#include "model/verdict.h"

namespace kbx::generate {

// One task as it stands, for a live table.
struct TaskView {
  std::string task;
  int round = 0;
  std::string state;                // the loop's own words: "waiting for 3 replies"
  std::optional<Verdict> verdict;   // of the candidate judged last, as the loop learned it
  Spent spent;
};

// How a task ended.
struct TaskEnd {
  std::string task, category;
  std::string why;                  // as Finish::why
  bool cut_short = false;
  std::string candidate;            // "" = no answer
  std::optional<Verdict> verdict;   // of the answer, by the cases that count
  std::optional<double> speedup;
  int64_t samples = 0, correct = 0; // for pass@k
  Spent spent;
  double seconds = 0;               // wall, in this process
  bool from_before = false;         // it had ended in an earlier process
};

class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void changed(const TaskView& view) = 0;
  virtual void finished(const TaskEnd& end) = 0;
  virtual void note(const std::string& text) = 0;
  virtual void tick() = 0;  // several times a second
};

}  // namespace kbx::generate
