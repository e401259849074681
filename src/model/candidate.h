// Candidate: Python source that claims to solve one task, and where it came from.
#pragma once
#include <string>
#include <vector>

#include "model/finding.h"

namespace kbx {

struct Candidate {
  std::string id;      // unique in the run: "claude.jsonl:17", "gelu.py"
  std::string task;    // the task's name as the suite has it; the requested name when unknown to the suite
  std::string entry;   // function to call; empty = the task's entry
  int sample = 0;      // 0-based number among this task's candidates of the same source file
  std::string source;  // the Python code after extraction
  std::string reply;   // what was given, before extraction
  std::string how;     // how the code was taken from the reply: "whole", "fence", ...
  bool truncated = false;         // the reply was cut
  std::vector<Finding> findings;  // of extraction
};

}  // namespace kbx
