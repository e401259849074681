// StreamPlan: how a tape's streams and events are played so that overlap is kept and nothing runs outside the measured
// time: every stream that has work starts behind the beginning of stream 0 and stream 0 ends behind all of them.
#pragma once
#include <vector>

#include "model/device_tape.h"

namespace kbx::clock {

struct StreamPlan {
  std::vector<uint32_t> side_streams;  // with work or waits, other than stream 0, ascending
  std::vector<bool> keep;              // by entry: false for a wait on an event that no earlier entry records (a no-op
                                       // in CUDA as well, or work from before the call), and for records nobody waits for
  std::vector<uint32_t> events;        // that are recorded and waited for, ascending
};
StreamPlan plan_streams(const DeviceTape& tape);

}  // namespace kbx::clock
