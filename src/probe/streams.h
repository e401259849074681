// Streams: which stream an entry of the tape is on, and what orders it after entries of other streams: recorded events,
// the rule that the legacy stream and blocking streams wait for each other, and the host having waited between calls.
// Everything becomes DeviceRecord and DeviceWait with small numbers; stream 0 is the call's current one.
#pragma once
#include <functional>
#include <map>
#include <vector>

#include "probe/lookup.h"

namespace kbx::probe {

// CUDA's names of the two implicit streams; a null handle is one of them, by the flavour of the function called.
inline const Handle kLegacyStream = Handle(uintptr_t(1)), kThreadStream = Handle(uintptr_t(2));

class Streams {
 public:
  // blocking(stream): created without CU_STREAM_NON_BLOCKING.
  Streams(std::vector<DeviceEntry>& entries, std::function<bool(Handle)> blocking)
      : entries_(entries), blocking_(std::move(blocking)) {}

  void start(Handle current);
  // The number for work that comes next on this stream, after the waits that are due have been written.
  uint32_t use(Handle stream);
  void record(Handle event, Handle stream);
  void wait(Handle stream, Handle event);  // an event of before the call is over already
  void host_waited_for_stream(Handle stream);
  void host_waited_for_event(Handle event);
  void host_waited_for_all();
  void forget_event(Handle event) { events_.erase(event); }
  // Drops the records that nothing waits for and numbers the others from 0; returns how many are left.
  uint32_t finish();
  uint32_t count() const { return uint32_t(streams_.size()); }

 private:
  struct Stream {
    Handle handle = nullptr;
    bool blocking = false;
    uint64_t work = 0;                    // entries so far
    uint64_t barrier_work = 0;            // of it, what the host has waited for
    size_t barriers = 0;                  // of barriers_, obeyed
    std::map<uint32_t, uint64_t> joined;  // other stream -> its work that this one waits for already
  };
  struct Barrier {
    uint32_t event, stream;
  };
  uint32_t number_of(Handle stream);
  // Null: nothing has been given to this stream in the call.
  const Stream* known(Handle stream) const;
  void barrier(uint32_t stream);
  void due(uint32_t stream);
  void join(uint32_t stream, uint32_t other);
  uint32_t write_record(uint32_t stream);

  std::vector<DeviceEntry>& entries_;
  std::function<bool(Handle)> blocking_;
  std::vector<Stream> streams_;
  std::vector<Barrier> barriers_;
  std::map<Handle, Barrier> events_;  // the last record of each
  uint32_t next_event_ = 0;
};

}  // namespace kbx::probe
