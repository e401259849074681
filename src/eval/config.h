// EvalConfig: everything that steers an evaluation, read once by cli. What can change a verdict is part of each job key.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/clock_process.h"
#include "gpu/tool.h"
#include "model/task.h"
#include "sandbox/request.h"

namespace kbx::eval {

// What judging on a card needs beside the workers.
struct CardConfig {
  std::vector<int> cards;              // indices; empty = all of the machine
  std::string probe;                   // libkbxprobe.so
  std::vector<std::string> cupti;      // where libcupti may be; empty or unusable: nothing is recorded
  gpu::ClockHome clock;
  bool timing = true;                  // false: values only
  double half_width = 0.01;            // of a ratio's 95 % interval, relative
  double cap_ms = 80;                  // of one size
  double compile_seconds = 30;         // budget for compiling one candidate before it comes to the card
  std::optional<gpu::Tool> sanitizer;  // compute-sanitizer looks at one replay of every candidate; none: it does not
};
// CUDA reserves far more addresses than it uses, and kernels are compiled in the calls.
sandbox::Limits card_limits(sandbox::Limits limits);

struct EvalConfig {
  uint64_t seed = 0;              // the run's secret seed; in the record afterwards
  int jobs = 1;                   // candidates at a time
  int kernel_threads = 1;         // of the IR machine, per candidate
  std::vector<int> archs{90};     // compiled for each; the first decides acceptance
  std::string device = "cpu";     // or "cuda:N"
  std::optional<CardConfig> card; // none: no GPU
  bool lint = true;               // false: dynamic layers only (to measure them)
  bool jail = true;
  bool compile = true;            // false: no compile-only stage (resources unknown)
  bool second_look = true;        // warnings from a stricter run of what is correct; changes no verdict
  bool replay = true;             // what is correct must be so again from its tape alone
  bool replay_required = false;   // and what cannot be played is not judged, instead of flagged
  bool delegation = true;         // false: whoever did the work (mutants are plain torch)
  double kernel_seconds = 20;
  double compile_seconds = 3;     // budget for compiling one candidate; 0 = none
  sandbox::Limits limits;

  // The part that decides verdicts, as text for the job key.
  std::string fingerprint() const;
};

}  // namespace kbx::eval
