// Fault: why a command of kbx-clock could not be done. A fault is data about the candidate, its tape or the card; the
// process survives it unless it is fatal: then the CUDA context is of no use any more.
#pragma once
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "base/result.h"

namespace kbx::clock {

struct Fault {
  enum class Kind : unsigned char {
    address,   // the arena's place is taken
    image,     // machine code that the driver refuses
    function,  // a kernel that its image does not have, or attributes it refuses
    memory,    // not enough of it
    launch,    // a launch, fill or copy that the driver refuses
    device,    // an error on the card: the context is dead
    tape,      // bytes that are no tape, or a tape that does not fit the call
    timeout,   // work that does not end: the context is in use for ever
    command    // a command that is malformed or out of order
  };
  Kind kind = Kind::command;
  std::string message;
  std::string side;  // whose tape it was; "" = nobody's

  bool fatal() const { return kind == Kind::device || kind == Kind::timeout; }
};
std::string_view to_text(Fault::Kind kind);

template <class T>
using Outcome = tl::expected<T, Fault>;

inline tl::unexpected<Fault> fault(Fault::Kind kind, std::string message) { return tl::unexpected<Fault>(Fault{kind, std::move(message), ""}); }

}  // namespace kbx::clock
