// Engine: the Evaluator over eval/: one fork server, one cache of truths, `jobs` threads. In mode public_only a candidate is
// judged twice: on public cases for the loop (eval/public_task.h), on the task's own for the record.
// Where nothing is learned from a verdict, once.
#pragma once
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "eval/job.h"
#include "generate/evaluator.h"

namespace kbx::generate {

class Engine : public Evaluator {
 public:
  Engine(sandbox::ForkServer& server, const eval::EvalConfig& config, eval::CardBench* cards, std::optional<agent::FeedbackMode> mode);
  ~Engine() override;  // drops what has not begun, waits for the rest
  void start(Judging what, std::function<void(Judged)> done) override;
  bool cancel(const agent::EvalId& id) override;
  std::string key_of(const Judging& what) const override;

 private:
  struct Item {
    Judging what;
    std::function<void(Judged)> done;
  };
  void work();
  Judged judge(const Judging& what);
  const Task& public_task(const Task& task);

  sandbox::ForkServer& server_;
  const eval::EvalConfig config_;
  eval::EvalConfig public_config_;
  eval::CardBench* cards_;
  std::optional<agent::FeedbackMode> mode_;  // none: no loop learns from it
  eval::TruthCache truths_, public_truths_;
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<Item> queue_;
  bool closed_ = false;
  std::mutex public_mutex_;
  std::map<std::string, std::unique_ptr<Task>> public_;
  std::vector<std::jthread> crew_;
};

}  // namespace kbx::generate
