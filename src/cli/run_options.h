// What `kbx run` was told, and the plan that follows from it.
#pragma once
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/method_session.h"
#include "generate/cassette_client.h"
#include "generate/ledger.h"
#include "store/store.h"
#include "suite/suite.h"

namespace kbx::cli {

struct RunOptions {
  Flags flags;
  std::string method, model, run, cassette, cassette_mode, feedback;
  std::vector<std::string> tasks, budget, batch;
  int rounds = 0, samples = 0;
  MethodFiles files;
  bool resume = false, dry_run = false, json = false, quiet = false;
};

// The method as it will run, the tasks, the budget.
struct RunPlan {
  agent::Method method;
  std::vector<const llm::Model*> models;  // the method's own first
  std::vector<const Task*> tasks;
  generate::Budget budget;
  generate::CassetteMode cassette = generate::CassetteMode::off;
};
Result<RunPlan> plan_run(const RunOptions& options, const MethodSession& session, const suite::Suite& suite);

// Names, categories, aliases and globs ("math/*", "fused_*"); empty = all. Error: one of them fits nothing.
Result<std::vector<const Task*>> choose_tasks(const suite::Suite& suite, const std::vector<std::string>& words);

// What a resumed run must agree with.
Json run_identity(const RunPlan& plan, const MethodSession& session);
// Runs of one name follow the order of events that a cassette holds for it: the method with all that steers it, and the models.
std::string tape_name(const RunPlan& plan);
// Writes it, or compares with what the run was started with. Error (code usage): they differ, and in what.
Result<void> settle_identity(store::Store& store, const Json& identity);

}  // namespace kbx::cli
