// The published pipeline's two files, metrics.json and summary.json, by its field names, so that its scripts read our
// results. The stage flags are those of the profile `paper`; kbx's own word stands beside them under "kbx". Where nothing
// was timed (no GPU, not correct) perf_ok is false and times are "N/A", as the pipeline itself writes them. `speedup` and
// avg_speedup are its ratios of sums over sizes; kbx's geometric mean stands under "kbx".
//
// The pipeline keys by task, so it knows one attempt a task. One run of one attempt gives the two files; more of a task
// go to sample_<n>/ in input order, more runs to <run>/. Candidates of tasks outside the suite are left out.
#pragma once
#include <string>
#include <vector>

#include "report/runs.h"

namespace kbx::report {

struct TextFile {
  std::string path;  // relative, '/' between folders
  std::string text;
};

Result<std::vector<TextFile>> upstream_files(const Runs& runs);

// "linear_algebra", "matmul" -> "LinearAlgebra/matmul.py"
std::string upstream_key(std::string_view category, std::string_view task);

}  // namespace kbx::report
