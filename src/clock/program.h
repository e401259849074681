// Program: a tape made ready to be played again and again: functions found, launches, fills and copies prepared, bytes
// from the host page-locked, a graph of the whole.
#pragma once
#include "clock/images.h"
#include "clock/memory.h"
#include "clock/stream_plan.h"

namespace kbx::clock {

class Program {
 public:
  Program() = default;
  Program(Program&& other) noexcept { *this = std::move(other); }
  Program& operator=(Program&& other) noexcept;
  ~Program();
  // `tape` and `images` must outlive this. Fault: function, tape, memory.
  static Outcome<Program> make(const Card& card, const DeviceTape& tape, const Images& images);

  // Functions again, after images were reloaded; drops the graph.
  Outcome<void> resolve(const Images& images);
  void drop_graph();
  // Puts the tape's work on the card's stream, entry by entry. Fault: launch.
  Outcome<void> enqueue() const;
  // The same as one graph launch; captured at the first call. Fault: launch.
  Outcome<void> enqueue_graph();
  Outcome<void> capture();
  bool has_graph() const { return graph_ != nullptr; }

  const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Launch {
    const DeviceLaunch* from = nullptr;
    std::vector<CUlaunchAttribute> attributes;
    std::vector<void*> arguments;  // into from->parameters
  };
  Outcome<void> check_parameters(const DeviceLaunch& launch) const;
  Outcome<void> prepare_copies();
  Outcome<void> make_streams();
  Outcome<void> find_function(const DeviceFunction& function, const Images& images, CUfunction& out) const;
  Outcome<void> play(const DeviceLaunch& l, size_t entry) const;
  Outcome<void> play(const DeviceFill& f, size_t entry) const;
  Outcome<void> play(const DeviceCopy& c, size_t entry) const;
  Outcome<void> play(const DeviceRecord& r, size_t entry) const;
  Outcome<void> play(const DeviceWait& w, size_t entry) const;
  Outcome<void> fork() const;
  Outcome<void> join() const;
  CUstream stream_of(uint32_t stream) const { return stream == 0 || serial_ ? card_->stream() : streams_[stream]; }
  void note(std::string text);

  const Card* card_ = nullptr;
  const DeviceTape* tape_ = nullptr;
  std::vector<CUfunction> functions_;
  std::vector<Launch> launches_;      // by entry; others are empty
  std::vector<uint64_t> payload_;     // by entry: where a copy's bytes lie in host_
  Pinned host_;
  StreamPlan plan_;
  std::vector<CUstream> streams_;     // by number; null where unused
  std::vector<CUevent> events_;       // by number; null where unused
  CUevent fork_ = nullptr;
  std::vector<CUevent> joins_;        // one a side stream
  bool serial_ = false;               // capture of several streams failed: one after the other
  CUgraphExec graph_ = nullptr;
  std::vector<std::string> notes_;
};

}  // namespace kbx::clock
