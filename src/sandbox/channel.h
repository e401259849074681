// Channel: frames to and from one child (docs/wire.md), while its printed output is drained, so that a child that
// prints without end can neither block itself nor fill our memory.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/result.h"
#include "worker/wire.h"

namespace kbx::sandbox {

// Keeps the head and the tail of what a child prints.
class OutputTail {
 public:
  explicit OutputTail(int64_t keep) : keep_(keep) {}
  void add(const char* data, size_t size);
  std::string text() const;  // valid UTF-8, with a line that says how much was cut
  int64_t total() const { return total_; }

 private:
  int64_t keep_, total_ = 0;
  std::string head_, tail_;
};

class Channel {
 public:
  enum class Answer : unsigned char { frame, closed, timeout, babble };
  struct Received {
    Answer answer = Answer::closed;
    worker::FrameType type = worker::FrameType::bye;
    Json payload;
    std::string problem;  // babble: what was wrong
  };

  // Both descriptors are owned and made non-blocking.
  Channel(Fd socket, Fd output, int64_t keep_output);

  // A child that is gone or does not read makes this fail within `deadline`; the caller then reads why.
  bool send(worker::FrameType type, const Json& payload, Steady::time_point deadline);
  // The next frame of the current sequence number; frames of other numbers are babble.
  Received receive(Steady::time_point deadline);
  // Reads what is left in the output pipe without waiting.
  void drain();
  const OutputTail& output() const { return output_; }

 private:
  enum class Ready : unsigned char { socket, timeout, closed };
  // They move the deadline by the time in which this process stood still.
  Ready wait(short events, Steady::time_point& deadline);
  Answer read_exactly(char* to, size_t size, Steady::time_point& deadline);

  Fd socket_, pipe_;
  OutputTail output_;
  uint32_t sequence_ = 0;
};

}  // namespace kbx::sandbox
