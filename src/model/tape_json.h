// A tape as JSON (docs/wire.md, TAPE), the form in which it is sealed, travels and is stored.
#pragma once
#include "base/json.h"
#include "model/tape.h"

namespace kbx {

// Limits on a tape; a recorder gives up before it reaches them.
inline constexpr size_t kMaxTapeBuffers = 16384, kMaxTapeEntries = 65536, kMaxTapeArguments = 1024;
inline constexpr int64_t kMaxTapeBytes = int64_t(4) << 30;  // all buffers together

Json tape_to_json(const Tape& tape);
// The JSON may be hostile. Every index, view and size of the tape returned is inside its bounds. Error: usage.
Result<Tape> tape_from_json(const Json& json);

}  // namespace kbx
