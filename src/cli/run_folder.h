// The folder of a run that is about to be written: its name, its seed, what it was made with; and Ctrl-C.
#pragma once
#include <atomic>
#include <filesystem>
#include <string>

#include "cli/settings.h"
#include "eval/config.h"
#include "sandbox/fork_server.h"
#include "store/store.h"

namespace kbx::cli {

// "runs/2026-01-31T12-00-00Z"
std::string default_run_folder();
// A run's folder that was not there before: it goes again if nothing came into it (no call, nothing judged), so that a run that
// was refused at once leaves nothing. To be made before the folder's store is opened; it must outlive the store.
class NewRun {
 public:
  explicit NewRun(std::filesystem::path folder);
  ~NewRun();
  NewRun(const NewRun&) = delete;
  NewRun& operator=(const NewRun&) = delete;
  bool made_here() const { return made_here_; }

 private:
  std::filesystem::path folder_;
  bool made_here_;
};
// It holds neither a call nor a record.
bool holds_nothing(const store::Store& store);
// A resumed run keeps its seed: the same inputs, the same verdicts. Error (code usage): the folder holds results and
// `resume` is false, or the seed differs.
Result<void> settle_seed(const Settings& settings, store::Store& store, bool resume, eval::EvalConfig& config);
Result<void> put_versions(store::Store& store, const sandbox::ZygoteFacts& facts);
// From now on the first Ctrl-C (or SIGTERM) sets the flag, the second ends the process at once.
const std::atomic<bool>& watch_interrupts();

}  // namespace kbx::cli
