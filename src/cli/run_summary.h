// What `kbx run` prints at its end, and before it begins with --dry-run.
#pragma once
#include <string>
#include <vector>

#include "agent/method.h"
#include "generate/ledger.h"
#include "generate/scheduler.h"

namespace kbx::cli {

// One row a method: correct, pass@k, and what a solved task cost.
std::string run_summary(const agent::Method& method, const std::string& model, const generate::Ending& ending, const generate::Spent& spent);
Json run_summary_json(const agent::Method& method, const std::string& model, const generate::Ending& ending, const generate::Spent& spent);
// Every call failed, so no task has an answer: a server that is not there, say.
bool nothing_came(const generate::Ending& ending, const generate::Spent& spent);
Json task_end_json(const generate::TaskEnd& end);

// How many calls at most, and what they cost at most. `first`: what the loops ask first, of all tasks.
std::string estimate_text(const agent::Method& method, const llm::Model& model, size_t tasks, const std::vector<ChatRequest>& first, const generate::Budget& budget);

}  // namespace kbx::cli
