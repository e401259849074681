// run_job(): one candidate from lint to verdict. Stages take values and return values; every road ends in one record.
#pragma once
#include "eval/config.h"
#include "eval/plan.h"
#include "eval/truth.h"
#include "model/record.h"
#include "sandbox/fork_server.h"

namespace kbx::eval {

struct CardBench;  // eval/on_card.h

struct Bench {  // what a job needs of the world; not owned
  sandbox::ForkServer& server;
  TruthCache& truths;
  const EvalConfig& config;
  CardBench* cards = nullptr;  // with EvalConfig::card
  enum class Stages : unsigned char { all, compile } stages = Stages::all;  // compile: stop after that stage
};

// Never fails: a failure of the harness is a record with verdict harness_error.
Record run_job(const Job& job, const Bench& bench);

}  // namespace kbx::eval
