// evaluate(): plan -> jobs -> records, on several threads, into one store.
#pragma once
#include <atomic>
#include <functional>
#include <optional>

#include "eval/config.h"
#include "eval/observer.h"
#include "model/candidate.h"
#include "sandbox/fork_server.h"
#include "store/store.h"
#include "suite/suite.h"

namespace kbx::eval {

struct CardBench;  // eval/on_card.h

struct Evaluation {
  const suite::Suite& suite;
  const EvalConfig& config;
  sandbox::ForkServer& server;
  CardBench* cards;  // with EvalConfig::card, else null
  store::Store& store;
  Observer& observer;
  // The next candidate in input order; nullopt at the end. Called under a lock.
  std::function<std::optional<Candidate>()> next;
  // Set from outside (Ctrl-C): running jobs finish, no new one starts.
  const std::atomic<bool>& stop;
};

struct Tally {
  int64_t candidates = 0, resumed = 0, not_in_suite = 0, harness_errors = 0;
};

// Resume is a filter: candidates whose job key the store holds are passed over (and counted). An Error only when the
// store itself fails.
Result<Tally> evaluate(const Evaluation& what);

}  // namespace kbx::eval
