// The site's page of one task: plain HTML, no script.
#pragma once
#include <string>
#include <vector>

#include "report/board.h"

namespace kbx::report {

struct TaskCandidate {
  std::string id, method;  // id: as candidates.html addresses it
  std::string name;        // the candidate's
  bool counts = true;
  Verdict verdict = Verdict::harness_error, paper = Verdict::harness_error;
  double seconds = 0;
  std::string speedup, why;
};

std::string task_page(const std::string& task, const std::string& title, const Board& board, const std::vector<TaskCandidate>& candidates);

// The name of a task's page: the task's own where that is safe, else a hash's. Ends in ".html".
std::string task_file(const std::string& task);

}  // namespace kbx::report
