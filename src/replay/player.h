// Player: a tape played again on other inputs, without Python, Triton or torch: launches on the IR machine, fills, copies
// and casts of its own. The tape and the kernels' texts may be hostile; the memory of the inputs is trusted.
#pragma once
#include <map>
#include <memory>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "ir/machine.h"
#include "model/tape.h"

namespace kbx::replay {

// What memory that nobody has written holds in a replay, two bytes at a time; a bool storage holds zeros. Other than in the
// recording (worker/wire.h: NaN, true) and finite in every format: an element that a launch leaves out and that was right
// there, since a NaN or true was wanted, is wrong here.
constexpr uint16_t kFreshPattern = 0x5ad2;

// The images of one candidate, by hash; compiled at their first launch.
class Images {
 public:
  void add(std::string hash, std::string text) { texts_[std::move(hash)] = std::move(text); }
  // Error: usage; the machine's words, or that there is no such image.
  Result<const ir::Program*> program(const std::string& hash);

 private:
  std::map<std::string, std::string> texts_;
  std::map<std::string, ir::Program> programs_;
};

struct PlayOptions {
  int threads = 1;
  double seconds = 20;  // of all launches together
};

// One playing. `inputs` is the memory that TapeBuffer::at counts from, `input_bytes` long; it is read and written in place.
class Player {
 public:
  Player(const Tape& tape, Images& images, uint8_t* inputs, int64_t input_bytes) : tape_(tape), images_(images), inputs_(inputs), input_bytes_(input_bytes) {}
  // Error: usage, in words: something that a replay has not, a launch that does not fit, the time ran out.
  Result<void> play(const PlayOptions& options);
  // After play(): the elements of an output, row major, written to `to` (shape x element size bytes).
  void output(const TapeView& view, uint8_t* to) const;

 private:
  struct Free {
    void operator()(uint8_t* p) const;
  };
  Result<void> prepare();
  Result<void> run(const TapeLaunch& launch, const PlayOptions& options);
  Result<void> run(const TapeCopy& copy, const PlayOptions& options);
  Result<void> run(const TapeFill& fill, const PlayOptions& options);
  Result<void> run(const TapeData& data, const PlayOptions& options);
  Result<void> run(const TapeOperator& op, const PlayOptions& options);
  Result<void> run(const TapeHostRead& read, const PlayOptions& options);

  const Tape& tape_;
  Images& images_;
  uint8_t* inputs_;
  int64_t input_bytes_;
  std::vector<uint8_t*> memory_;  // of each buffer
  std::vector<std::unique_ptr<uint8_t[], Free>> owned_;
  double used_seconds_ = 0;
};

}  // namespace kbx::replay
