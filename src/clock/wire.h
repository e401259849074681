// Messages over the socket (model/clock_wire.h): blocking, whole, checked.
#pragma once
#include <optional>

#include "base/json.h"
#include "model/value.h"

namespace kbx::clock {

struct Message {
  Json head;
  Bytes blob;
};

// nullopt: the other side closed between two messages. Error: it broke the protocol or the socket failed; the stream is
// of no use then. JSON that does not parse, or is no object, is a message whose head is null: the next one can be read.
Result<std::optional<Message>> read_message(int fd);
Result<void> write_message(int fd, const Message& message);

}  // namespace kbx::clock
