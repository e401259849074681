// The inputs of a call as the clock wants them: every storage that a tape reads, packed into one block of bytes.
#pragma once
#include "base/json.h"
#include "eval/truth.h"
#include "model/device_tape.h"

namespace kbx::eval {

// The list for the command `inputs`; its bytes are appended to `blob`. Storages that are not on the tape are left out.
Json pack_inputs(const CaseTruth& c, const DeviceTape& tape, Bytes& blob);

}  // namespace kbx::eval
