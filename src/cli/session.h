// Session: what most verbs need: settings, suite, config, a started fork server.
#pragma once
#include <memory>

#include "base/result.h"
#include "cli/command.h"
#include "cli/settings.h"
#include "eval/config.h"
#include "intake/task_names.h"
#include "model/candidate.h"
#include "sandbox/fork_server.h"
#include "suite/suite.h"

namespace kbx::cli {

// A faulty task is said on stderr and left out, the others are there; *faulty: how many faults. Error: there is no good task.
Result<suite::Suite> open_suite(const Settings& settings, size_t* faulty = nullptr);
intake::TaskNames task_names(const suite::Suite& suite);
// "sm_90,sm_100" or "90,100" -> {90, 100}; "all" -> every known target.
Result<std::vector<int>> parse_archs(const std::string& text);
// Everything but the seed, which the run may already have.
Result<eval::EvalConfig> make_config(const Settings& settings);
// An error when `task` is named and the suite has none of this name.
Result<void> known_task(const suite::Suite& suite, const std::string& task);
// The candidates of one path for `check`, `compile` and `profile`, what could not be read said on stderr. Error: there
// are none, or one is for a task that the suite does not have.
Result<std::vector<Candidate>> load_candidates(const Settings& settings, const suite::Suite& suite, const std::string& path, const std::string& task);
// For verbs that look at one kernel: every known target unless targets were named; sm_90 stays the first.
Result<std::vector<int>> every_arch_unless_named(const Settings& settings);
// A fresh secret seed from the operating system.
uint64_t random_seed();
// Starts the workers; says once on stderr what the machine does not permit.
Result<std::unique_ptr<sandbox::ForkServer>> start_workers(const Settings& settings, bool quiet);

}  // namespace kbx::cli
