// The attributes of a recorded launch that may be repeated. Those that name events or handles of the recorded process
// are dropped, as is the overlap with a predecessor that is not the tape's own.
#pragma once
#include <cuda.h>

#include <string>
#include <vector>

#include "model/device_tape.h"

namespace kbx::clock {

struct LaunchAttributes {
  std::vector<CUlaunchAttribute> kept;
  std::vector<unsigned> dropped;  // ids
};
// first: nothing of the tape stands before it on its stream.
LaunchAttributes launch_attributes(const DeviceLaunch& launch, bool first);

}  // namespace kbx::clock
