// What a tape says by itself, before it is played: can it be played, and what would have to be believed.
#pragma once
#include <string>
#include <vector>

#include "model/tape.h"

namespace kbx::eval {

struct TapeReading {
  bool playable = false;
  std::string why_not;              // when not: in words
  bool host_dependent = false;      // the host read memory that depends on the inputs: what follows may depend on values
  bool uses_constants = false;      // kernels use memory that was there before the call
  std::vector<std::string> operators;  // by name, those that reach an output and that a replay has not
};

TapeReading read_tape(const Tape& tape);
// Names of all operators on it that a replay has not, whether they reach an output or not; with repetitions.
std::vector<std::string> operators_of(const Tape& tape);
// What read_tape found as flags of a record: "tape: empty" (no launch), "tape: host read", "tape: constants", "tape: operators A, B".
std::vector<std::string> tape_flags(const Tape& tape, const TapeReading& reading);

}  // namespace kbx::eval
