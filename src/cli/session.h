// Session: what most verbs need: settings, suite, config, a started fork server.
#pragma once
#include <memory>

#include "base/result.h"
#include "cli/command.h"
#include "cli/settings.h"
#include "eval/config.h"
#include "intake/task_names.h"
#include "sandbox/fork_server.h"
#include "suite/suite.h"

namespace kbx::cli {

Result<suite::Suite> open_suite(const Settings& settings);
intake::TaskNames task_names(const suite::Suite& suite);
// "sm_90,sm_100" or "90,100" -> {90, 100}; "all" -> every known target.
Result<std::vector<int>> parse_archs(const std::string& text);
// Everything but the seed, which the run may already have.
Result<eval::EvalConfig> make_config(const Settings& settings);
// A fresh secret seed from the operating system.
uint64_t random_seed();
// Starts the workers; says once on stderr what the machine does not permit.
Result<std::unique_ptr<sandbox::ForkServer>> start_workers(const Settings& settings, bool quiet);

}  // namespace kbx::cli
