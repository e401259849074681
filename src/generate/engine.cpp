#include "generate/engine.h"

#include <algorithm>

#include "agent/feedback_of.h"
#include "eval/judge_job.h"
#include "eval/plan.h"
#include "eval/public_task.h"

namespace kbx::generate {

Engine::Engine(sandbox::ForkServer& server, const eval::EvalConfig& config, eval::CardBench* cards, std::optional<agent::FeedbackMode> mode)
    : server_(server), config_(config), public_config_(eval::public_config(config)), cards_(cards), mode_(mode), truths_(server, config_), public_truths_(server, public_config_) {
  for (int k = 0; k < std::max(1, config_.jobs); k++) crew_.emplace_back([this] { work(); });
}

Engine::~Engine() {
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    queue_.clear();
  }
  filled_.notify_all();
}

void Engine::start(Judging what, std::function<void(Judged)> done) {
  {
    std::lock_guard lock(mutex_);
    queue_.push_back({std::move(what), std::move(done)});
  }
  filled_.notify_one();
}

bool Engine::cancel(const agent::EvalId& id) {
  std::lock_guard lock(mutex_);
  return std::erase_if(queue_, [&](const Item& item) { return item.what.id == id; }) > 0;
}

std::string Engine::key_of(const Judging& what) const { return eval::plan(what.candidate, what.task, what.ordinal, config_).key; }

void Engine::work() {
  for (;;) {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return closed_ || !queue_.empty(); });
    if (closed_) return;
    Item item = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    item.done(judge(item.what));
  }
}

const Task& Engine::public_task(const Task& task) {
  std::lock_guard lock(public_mutex_);
  auto& slot = public_[task.name];
  if (!slot) slot = std::make_unique<Task>(eval::public_task(task, server_, public_config_));
  return *slot;
}

Judged Engine::judge(const Judging& what) {
  auto judge_on = [&](const Task& task, const eval::EvalConfig& config, eval::TruthCache& truths, eval::CardBench* cards) {
    const std::atomic<bool> never = false;
    return eval::judge_job(eval::plan(what.candidate, &task, what.ordinal, config), {server_, truths, config, cards}, never);
  };
  Judged out;
  out.record = judge_on(*what.task, config_, truths_, cards_);
  if (mode_ != agent::FeedbackMode::public_only) {
    out.feedback = agent::feedback_of({out.record, what.task, what.candidate.source, mode_.has_value()});
    return out;
  }
  const Task& shown = public_task(*what.task);
  const Record on_public = judge_on(shown, public_config_, public_truths_, nullptr);
  out.feedback = agent::feedback_of({on_public, &shown, what.candidate.source, true});
  out.feedback.key = out.record.job_key;
  agent::tell_speed(out.feedback, agent::feedback_of({out.record, what.task, what.candidate.source, false}));
  return out;
}

}  // namespace kbx::generate
