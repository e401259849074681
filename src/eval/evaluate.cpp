#include "eval/evaluate.h"

#include <mutex>
#include <thread>
#include <unordered_set>
#include <vector>

#include "eval/judge_job.h"
#include "eval/plan.h"
#include "eval/truth.h"

namespace kbx::eval {
namespace {

class Crew {
 public:
  Crew(const Evaluation& what, std::unordered_set<std::string> done) : what_(what), done_(std::move(done)), truths_(what.server, what.config) {}

  Result<Tally> work() {
    {
      std::vector<std::jthread> crew;
      for (int k = 0; k < std::max(1, what_.config.jobs); k++) crew.emplace_back([this] { one_after_another(); });
    }
    if (failure_) return tl::unexpected(*failure_);
    return tally_;
  }

 private:
  void one_after_another() {
    while (auto job = next_job()) {
      if (!keep(*job, judge_job(*job, {what_.server, truths_, what_.config, what_.cards}, what_.stop))) return;
    }
  }

  std::optional<Job> next_job() {
    std::lock_guard lock(mutex_);
    while (!what_.stop && !failure_) {
      auto candidate = what_.next();
      if (!candidate) return std::nullopt;
      const Task* task = what_.suite.find(candidate->task);
      Job job = plan(std::move(*candidate), task, ordinal_++, what_.config);
      tally_.candidates++;
      if (done_.count(job.key)) {
        tally_.resumed++;
        continue;
      }
      what_.observer.started(job.candidate.id, job.candidate.task);
      return job;
    }
    return std::nullopt;
  }

  bool keep(const Job& job, Record record) {
    std::lock_guard lock(mutex_);
    auto stored = store(job, record);
    if (!stored) {
      if (!failure_) failure_ = stored.error();
      return false;
    }
    tally_.not_in_suite += !record.in_suite;
    tally_.harness_errors += record.verdict == Verdict::harness_error;
    what_.observer.finished(record);
    return true;
  }

  Result<void> store(const Job& job, Record& record) {
    KBX_TRY_ASSIGN(record.source_hash, what_.store.put_blob(job.candidate.source));
    KBX_TRY_ASSIGN(record.reply_hash, what_.store.put_blob(job.candidate.reply));
    return what_.store.append(record);
  }

  const Evaluation& what_;
  std::unordered_set<std::string> done_;
  TruthCache truths_;
  std::mutex mutex_;
  int64_t ordinal_ = 0;
  Tally tally_;
  std::optional<Error> failure_;
};

}  // namespace

Result<Tally> evaluate(const Evaluation& what) {
  KBX_TRY_ASSIGN(auto done, what.store.keys());
  return Crew(what, std::move(done)).work();
}

}  // namespace kbx::eval
