// Scheduler: steps one loop per task, with a client for their questions and an evaluator for their candidates. One thread;
// owns neither sockets nor processes. What happens is journalled before a loop sees it.
#pragma once
#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "generate/cassette_client.h"
#include "generate/inbox.h"
#include "generate/journal.h"
#include "generate/ledger.h"
#include "generate/task_run.h"
#include "generate/watcher.h"

namespace kbx::generate {

struct Surroundings {  // not owned; client and evaluator call back until they are gone
  llm::Client& client;
  Evaluator& evaluator;
  Journal& journal;
  Ledger& ledger;
  const llm::Registry& registry;
  Watcher& watcher;
  const std::atomic<bool>& stop;  // set from outside (Ctrl-C): nothing new begins, what is in flight is taken
  int calls_at_a_time = 16;       // handed to the client; it may hold some back
  int evaluations_at_a_time = 2;
  CassetteClient* tape = nullptr;  // the client, if it is one: results are seen in the order that it recorded
};
struct Work {
  std::vector<const Task*> tasks;
  std::function<Result<std::unique_ptr<agent::Loop>>(const Task&)> make_loop;
};

struct Ending {
  std::vector<TaskEnd> tasks;      // that ended, in the order of Work
  int64_t unfinished = 0;
  bool out_of_budget = false;
  std::string stopped;             // why a provider was given up; "" = it was not
  double seconds = 0;
};

class Scheduler {
 public:
  Scheduler(Surroundings with, Work work);
  // An Error: the run's files, or a method that cannot be made. What was journalled stays.
  Result<Ending> run();

 private:
  using Runs = std::list<TaskRun>;
  Result<void> recover();                         // the ledger and finished tasks, from the journal
  Result<void> begin_tasks();
  Result<void> begin(const Task& task, size_t index);
  std::string key_of(const ChatRequest& request) const;
  Result<void> keep(const llm::Exchange& exchange, const std::string& key);
  Result<void> arrived(llm::Exchange exchange);
  Result<void> arrived(ArrivedEvaluation done);
  Result<void> judged(TaskRun& run, ArrivedEvaluation done);
  Result<void> hand_on(TaskRun& run, const agent::Event& event);
  Result<void> after(TaskRun& run);               // memories, cancellations, what is open, the end
  void ask_open(TaskRun& run);
  Result<void> evaluate_open(TaskRun& run);
  Result<void> evaluate(TaskRun& run, const agent::EvalId& id, OpenEvaluation& open);
  Result<void> copy_known(TaskRun& run, const Judging& what, OpenEvaluation open, TaskRun::Known known);
  Judging judging(const TaskRun& run, const agent::EvalId& id, const OpenEvaluation& open) const;
  // The recorded order (scheduler_order.cpp). due(): what must come next in this task; null: whatever comes.
  const Step* due(const TaskRun& run) const { return with_.tape ? with_.tape->next(run.task().name) : nullptr; }
  bool ahead(const TaskRun& run, const Step& step) const { return with_.tape && with_.tape->ahead(run.task().name, step); }
  void came(const TaskRun& run, const Step& step) { if (with_.tape) with_.tape->happened(run.task().name, step); }
  void tell_as_recorded(const TaskRun& run, const agent::EvalId& id, const OpenEvaluation& open, agent::Feedback& feedback);
  bool may_begin(const TaskRun& run, const agent::EvalId& id, const OpenEvaluation& open) const;
  Result<bool> follow(TaskRun& run);              // true: something was done
  Result<bool> follow_all();
  Result<bool> release(TaskRun& run);             // no order is followed any more: what was held back for it
  void drop_cancelled(TaskRun& run);
  Result<void> start_calls();
  Result<void> tell_out_of_budget(TaskRun& run);
  Result<void> end_budget();
  Result<void> finish(TaskRun& run);              // once all that its answer needs is judged
  Result<void> show(const TaskRun& run);
  Result<TaskEnd> end_of(const Task& task, const store::AnswerRow& answer);
  TaskRun* find(const std::string& task);
  bool winding_down() const { return with_.stop || !ending_.stopped.empty(); }
  Result<void> drop_queued();
  void wait_for_flying();
  Result<void> turn();

  Surroundings with_;
  Work work_;
  Inbox inbox_;
  Runs runs_;
  size_t next_ = 0;                               // of work_.tasks
  std::deque<std::pair<std::string, CallId>> asks_;
  int64_t calls_flying_ = 0, evaluations_flying_ = 0;
  std::map<std::string, store::AnswerRow> ended_before_;
  std::map<std::string, std::pair<size_t, TaskEnd>> ends_;
  std::map<std::string, Steady::time_point> begun_;
  std::set<std::string> over_;                    // tasks whose TaskRun is to be taken off the list
  std::map<std::string, std::string> missing_;    // task -> why a call of it has no answer in a cassette
  Ending ending_;
  Steady::time_point start_ = Steady::now();
};

}  // namespace kbx::generate
