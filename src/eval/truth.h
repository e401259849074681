// Truth: what a task's calls must return. Computed by the trusted reference process once per task and run, then shared
// by all candidates of the task. Never enters a candidate's process.
#pragma once
#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "eval/config.h"
#include "model/task.h"
#include "model/value.h"
#include "sandbox/fork_server.h"
#include "suite/inputs.h"

namespace kbx::eval {

// One call's inputs and everything the judge may want to know about its outcome.
struct CaseTruth {
  const Case* which = nullptr;
  std::string phase;                // "standard", "repeat" (fresh inputs at the same addresses), "outlier"
  Call call;
  std::vector<std::string> names;   // parameter of each positional argument
  // By root: "result" and every mutated argument.
  struct Root {
    Value eager, truth;
    std::optional<Value> permuted, narrow;
    std::optional<Value> magnitude;  // of a mutated argument, where magnitude() writes it there
  };
  std::map<std::string, Root> roots;
  std::optional<Value> magnitude, scheme, survivors, dropped, probability, domain;  // the reference's helpers

  std::vector<std::string> aliases;  // of eager's result: "result[0] aliases param"

  int calls() const { return std::max(1, which->calls); }  // how often a candidate is called with it
};

struct TaskTruth {
  std::vector<CaseTruth> cases;     // in the order in which a candidate is called

  // Which call of a candidate is the first of cases[place].
  size_t first_call(size_t place) const {
    size_t call = 0;
    for (size_t k = 0; k < place; k++) call += size_t(cases[k].calls());
    return call;
  }
};

// Names of positional arguments as the worker wants them; a variadic parameter's values share its name.
std::vector<std::string> positional_names(const Signature& signature, const Call& call);
// The calls of one task: each standard case (the first is repeated with other inputs), then the outlier twins.
Result<std::vector<CaseTruth>> make_calls(const Task& task, uint64_t seed);
// A reference child of this task, without steps; its calls have a minute at least.
sandbox::Request reference_request(const Task& task, const EvalConfig& config);
// Fills in what the reference says to every case, by its call. A reference that fails is an Error: the task is broken, not
// the candidate.
Result<void> ask_reference(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, TaskTruth& truth);
Result<TaskTruth> compute_truth(sandbox::ForkServer& server, const Task& task, const EvalConfig& config);
// What replay_cases() of the shown truth must give on inputs from a seed that is used for nothing else: no worker that
// ran a candidate ever held them.
Result<TaskTruth> compute_unseen(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, const TaskTruth& shown);

// Keeps the truths of the tasks used last. Thread-safe; a truth stays alive while a job holds it, hence shared_ptr.
class TruthCache {
 public:
  TruthCache(sandbox::ForkServer& server, const EvalConfig& config, size_t capacity = 16) : server_(server), config_(config), capacity_(capacity) {}
  Result<std::shared_ptr<const TaskTruth>> get(const Task& task);
  // Those of them that device_replay_cases() names.
  Result<std::shared_ptr<const TaskTruth>> get_unseen_on_card(const Task& task);
  Result<std::shared_ptr<const TaskTruth>> get_unseen(const Task& task);
  // The same calls on inputs that nothing is judged by, without answers: for the compile child, which hands what the
  // compiler made to the candidate's next process and so could hand over answers as well.
  Result<std::shared_ptr<const TaskTruth>> get_calls(const Task& task);

 private:
  template <class F>
  Result<std::shared_ptr<const TaskTruth>> find(const std::string& key, F compute);

  sandbox::ForkServer& server_;
  const EvalConfig& config_;
  size_t capacity_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<std::mutex>> busy_;  // one computation per task at a time
  std::list<std::pair<std::string, std::shared_ptr<const TaskTruth>>> recent_;
};

}  // namespace kbx::eval
