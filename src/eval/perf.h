// Perf: the calls that are timed on a card. Their inputs are drawn there, so they are descriptions here.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/measurement.h"
#include "model/task.h"
#include "model/value.h"
#include "suite/drawn.h"

namespace kbx::eval {

struct PerfCall {
  const Case* which = nullptr;
  Call call;                          // tensors have a shape and no bytes
  std::vector<std::string> names;     // parameter of each positional argument
  std::vector<suite::Drawn> drawn;
  std::optional<CallCost> cost;
};
Result<std::vector<PerfCall>> perf_calls(const Task& task);

// How an output is compared with eager's on the same inputs at these sizes. Much coarser than the oracles, which have
// judged every case by then: it shows that the same work was done here.
struct Comparison {
  bool exact = false;
  double rtol = 0, rtol_rms = 0;      // |c - r| <= rtol |r| + rtol_rms rms(r)
  double rms_share = 0;               // quantized: rms(c - r) <= rms_share rms(r) instead
  std::string not_compared;           // why nothing is said of its values: random, many right answers
};
Comparison comparison(const Task& task, const std::string& output, Dtype dtype);

}  // namespace kbx::eval
