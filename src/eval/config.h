// EvalConfig: everything that steers an evaluation, read once by cli. What can change a verdict is part of each job key.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "model/task.h"
#include "sandbox/request.h"

namespace kbx::eval {

struct EvalConfig {
  uint64_t seed = 0;              // the run's secret seed; in the record afterwards
  int jobs = 1;                   // candidates at a time
  int kernel_threads = 1;         // of the IR machine, per candidate
  std::vector<int> archs{90};     // compiled for each; the first decides acceptance
  std::string device = "cpu";     // or "cuda:N"
  int gpu = -1;                   // N of it; -1: no GPU
  bool lint = true;               // false: dynamic layers only (to measure them)
  bool jail = true;
  bool compile = true;            // false: no compile-only stage (resources unknown)
  bool second_look = true;        // warnings from a stricter run of what is correct; changes no verdict
  bool replay = true;             // what is correct must be so again from its tape alone
  bool delegation = true;         // false: whoever did the work (mutants are plain torch)
  double kernel_seconds = 20;
  double compile_seconds = 3;     // budget for compiling one candidate; 0 = none
  sandbox::Limits limits;

  // The part that decides verdicts, as text for the job key.
  std::string fingerprint() const;
};

}  // namespace kbx::eval
