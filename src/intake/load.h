// Candidates from what a person names on the command line: .py, .md and .txt files, .jsonl files, folders, standard
// input. The only part of this room that reads files.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "intake/extract.h"
#include "intake/task_names.h"
#include "model/candidate.h"

namespace kbx::intake {

struct LoadOptions {
  const TaskNames* tasks = nullptr;  // not owned, never null
  std::string task;                  // all candidates are for this task; empty: as the files say
  ExtractMode mode = ExtractMode::kbx;
  int stdin_fd = 0;  // what "-" reads
};

struct LoadProblem {
  std::string path;
  size_t line = 0;  // of a .jsonl file; 0 = the file as a whole
  std::string reason;

  std::string text() const;  // "a.jsonl:17: no "predict" ..."
};

// Where candidates and problems go, one by one, in the order of the paths (folders sorted), so that ten thousand of
// them need not be in memory at once. A candidate of a task that the suite lacks is delivered with a finding
// `unknown_task`, whose message names the nearest tasks.
struct LoadSink {
  std::function<void(Candidate)> candidate;
  std::function<void(LoadProblem)> problem;
};

// Ids are unique within one call: "FILE.jsonl:LINE", a row's own id, a file's path inside the named folder.
// Never fails as a whole: what cannot be read is a problem, the rest is loaded.
void load(const std::vector<std::string>& paths, const LoadOptions& options, const LoadSink& sink);

struct Loaded {
  std::vector<Candidate> candidates;
  std::vector<LoadProblem> problems;
};
Loaded load_all(const std::vector<std::string>& paths, const LoadOptions& options);

}  // namespace kbx::intake
