// DrawRequest: one input of a command `inputs`, read from JSON: to be drawn on the card, or bytes of the message.
#pragma once
#include "base/json.h"
#include "clock/device/device_matrix.h"
#include "clock/fault.h"
#include "model/device_tape.h"

namespace kbx::clock {

struct DrawRequest {
  std::string name;
  uint64_t bytes = 0;             // of the input
  bool drawn = false;
  uint64_t blob_at = 0;           // when not drawn
  device::DrawSpec draw;          // without addresses
  bool matrix = false, wide = false;  // wide: in double arithmetic
  uint64_t rows = 0, cols = 0, batches = 0;
  std::vector<double> values;     // of the distribution `values`
};

// Fault command: what is missing or cannot be drawn here.
Outcome<DrawRequest> read_draw_request(const Json& input, size_t blob_bytes);

}  // namespace kbx::clock
