// `kbx run METHOD --batch`: what can be asked that way, and the files.
#pragma once
#include <string>
#include <vector>

#include "cli/run_options.h"
#include "generate/batch_client.h"

namespace kbx::cli {

// {"export", FOLDER} or {"import", PATH}. Error (code usage): another word, or a method that needs answers before it can ask
// on. A useless reply is not asked for again: the batch is over by then.
Result<void> check_batch(const std::vector<std::string>& words, RunPlan& plan);
Result<int> export_batch_files(const std::string& folder, const RunPlan& plan, const MethodSession& session);
// A vendor's result file, or a folder of replies; what could not be taken is said on stderr.
Result<generate::BatchClient> open_batch(const std::string& path, const RunPlan& plan, const MethodSession& session);

}  // namespace kbx::cli
