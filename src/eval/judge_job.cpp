#include "eval/judge_job.h"

namespace kbx::eval {

Record judge_job(const Job& job, const Bench& bench, const std::atomic<bool>& stop) {
  Record first = run_job(job, bench);
  bool late = first.verdict == Verdict::timeout;
  bool broken = bench.cards && first.verdict == Verdict::harness_error && first.retryable;
  if (stop || !(late || broken)) return first;
  Record second = run_job(job, bench);
  if (late && second.verdict != Verdict::timeout) second.flags.push_back("timeout in the first of two tries");
  second.seconds += first.seconds;
  return second;
}

}  // namespace kbx::eval
