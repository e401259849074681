// First feedback for hardware that is not here: what the counted bytes and operations of a call say about its kernels,
// and the least time that each GPU of the datasheet table needs for them. Bounds, never times.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "model/record.h"

namespace kbx::report {

struct GpuBound {
  const GpuSpec* gpu = nullptr;  // a row of gpu_specs()
  double seconds = 0;            // at least, for the launches one after the other
  double memory_seconds = 0;     // the memory's part of it
  std::optional<Unit> compute;   // the unit that limits the longest launch; nullopt: its memory does
  double least_seconds = 0;      // at least, for any kernel: by the task's cost formulas; 0 = not known
};

struct Feedback {
  double accessed = 0, distinct = 0, atomics = 0, flops = 0;  // sums over launches, bytes and operations
  std::optional<CallCost> cost;  // compulsory; absent when the formulas do not say
  std::vector<GpuBound> gpus;

  double traffic() const { return cost ? accessed / cost->bytes : 0; }  // 1.0 = each byte once
  double overhead() const { return cost ? distinct / cost->bytes : 0; }  // 1.0 = nothing but inputs and outputs
};

// nullopt: the record's launches carry no counts of distinct bytes (none launched, counting was off, an older kbx).
std::optional<Feedback> hardware_feedback(const Record& record);
// Tables of launches and GPUs; "" without feedback.
std::string hardware_text(const Record& record);
// {"case", "compulsory_bytes", ..., "bounds": [{"gpu", "seconds", ...}]}; null without feedback.
Json hardware_json(const Record& record);

std::string bytes_text(double bytes);      // "1.5 kB", "12 B": powers of 1000
std::string seconds_text(double seconds);  // "1.50 us"

}  // namespace kbx::report
