// Recorder: the calls of one run of a candidate -> DeviceTape. It is fed plain structures (by adapter.cpp from CUPTI's
// callbacks, by tests from literals) and asks the device only through Lookup.
//
// A recording is: inputs, a dry run (which memory is touched?), snapshot() of what was there before the call, the
// inputs put back, the run that counts, outputs, tape().
#pragma once
#include <set>

#include "probe/arena.h"
#include "probe/calls.h"
#include "probe/handles.h"
#include "probe/streams.h"

namespace kbx::probe {

inline constexpr uint64_t kMaxConstantBytes = uint64_t(128) << 20;  // of all constants of a tape
inline constexpr uint64_t kMaxHostBytes = uint64_t(128) << 20;      // of all data that a call copies to the device

class Recorder {
 public:
  Recorder(Lookup& lookup, const Arena& arena);

  Handles& handles() { return handles_; }
  Streams& streams() { return streams_; }
  bool recording() const { return recording_; }
  bool capturing(Handle stream) { return captures_ && lookup_.capturing(stream); }
  void capture_begun() { captures_++; }

  void reset();  // tensors and snapshot gone: a new recording
  void add_input(DeviceTensor tensor) { inputs_.push_back(std::move(tensor)); }
  void add_output(DeviceTensor tensor) { outputs_.push_back(std::move(tensor)); }
  void start(Handle current_stream);
  void stop();
  void snapshot();    // after a dry run
  DeviceTape tape();  // of the last run

  // While recording:
  void called(const char* function) { calls_[function]++; }
  void trouble(std::string why);
  void launch(const LaunchCall& call);
  void fill(const FillCall& call);
  void copy(const CopyCall& call);
  void play(const std::vector<AnyCall>& graph, Handle stream);
  void allocated(uint64_t at, uint64_t bytes);  // in the arena
  // Always: memory that is not the arena's. A launch that uses it cannot be replayed.
  void foreign_memory(uint64_t at, uint64_t bytes) { foreign_[at] = bytes; }
  void foreign_freed(uint64_t at) { foreign_.erase(at); }

  // The parameters of a launch laid out as its function says; false and `why` when they cannot be read.
  bool pack(const LaunchCall& call, const LoadedFunction& function, Bytes& out, std::string& why) const;

 private:
  struct Snapshot {
    uint64_t serial;
    Bytes data;
  };
  uint32_t function_number(const LaunchCall& call, const LoadedFunction& function);
  void touch(uint64_t address);
  void touch_words(const Bytes& bytes);
  // Is the span inside one allocation of the arena? Notes the allocation, or the trouble.
  bool inside(const char* what, uint64_t at, uint64_t row, uint64_t pitch, uint64_t rows);
  bool is_input(const Block& block) const;
  void add_constants(DeviceTape& tape);

  Lookup& lookup_;
  const Arena& arena_;
  Handles handles_;
  bool recording_ = false;
  int captures_ = 0;
  uint64_t first_serial_ = 0, host_bytes_ = 0;  // allocations from this serial on were made in the run
  std::vector<DeviceEntry> entries_;
  Streams streams_;
  std::map<std::pair<Handle, size_t>, uint32_t> numbers_;  // function -> its number in the tape
  std::vector<DeviceFunction> functions_;                  // image: index into handles_
  std::vector<DeviceRange> live_;
  std::vector<DeviceTensor> inputs_, outputs_;
  std::map<uint64_t, Block> touched_;  // of before the run, by address
  std::map<uint64_t, Snapshot> snapshots_;
  std::map<uint64_t, uint64_t> foreign_;
  std::set<long> threads_;
  std::map<std::string, int64_t> calls_;
  std::vector<std::string> trouble_;
};

}  // namespace kbx::probe
