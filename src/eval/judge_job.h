// judge_job(): run_job() with a second try for what may not be the candidate's doing.
#pragma once
#include <atomic>

#include "eval/job.h"

namespace kbx::eval {

// A machine that is overloaded or stands still makes anyone late: a timeout is told if it comes twice. What broke on a card
// begins anew, once, lease and all; without a card sandbox::run has already tried again. Not when `stop` is set meanwhile.
// The seconds of both tries are in the record.
Record judge_job(const Job& job, const Bench& bench, const std::atomic<bool>& stop);

}  // namespace kbx::eval
