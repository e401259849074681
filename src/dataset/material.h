// Material: the attempts of some runs, made ready for tables: distinct programs, what was asked, run names.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "dataset/rows.h"
#include "dataset/write.h"

namespace kbx::dataset {

class Material {
 public:
  static Result<Material> read(const report::Runs& runs, const Options& options, Totals& totals);

  const std::vector<Attempt>& attempts() const { return attempts_; }
  // One attempt a program and task: the first that was timed, else the first; and how many there are of it.
  const std::vector<std::pair<size_t, int64_t>>& distinct() const { return distinct_; }
  const std::string& run_name(const Attempt& a) const { return runs_->all()[a.run].label; }
  const Json& run_facts(const Attempt& a) const { return runs_->all()[a.run].facts; }
  // Read from the run's blobs when asked for: prompts are long.
  Asked asked(const Attempt& a, ScrubCounts& scrubbed) const;

 private:
  Material(const report::Runs& runs, const Options& options) : runs_(&runs), options_(&options) {}
  void find_distinct(Totals& totals);

  const report::Runs* runs_;
  const Options* options_;
  std::vector<Attempt> attempts_;
  std::vector<std::pair<size_t, int64_t>> distinct_;
};

}  // namespace kbx::dataset
