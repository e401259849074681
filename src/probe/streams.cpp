// Every record gets a number of its own, so that a wait means the record that it meant in the call.
#include "probe/streams.h"

#include <algorithm>

namespace kbx::probe {

void Streams::start(Handle current) {
  streams_.clear();
  barriers_.clear();
  events_.clear();
  next_event_ = 0;
  number_of(current);
}

uint32_t Streams::number_of(Handle handle) {
  if (!handle) handle = kLegacyStream;
  for (uint32_t k = 0; k < streams_.size(); k++)
    if (streams_[k].handle == handle) return k;
  Stream s;
  s.handle = handle;
  s.blocking = handle == kLegacyStream ? false : handle == kThreadStream || blocking_(handle);
  streams_.push_back(std::move(s));
  return uint32_t(streams_.size() - 1);
}

uint32_t Streams::write_record(uint32_t stream) {
  entries_.push_back(DeviceRecord{next_event_, stream});
  return next_event_++;
}

// `stream` waits for what `other` has been given so far.
void Streams::join(uint32_t stream, uint32_t other) {
  uint64_t& done = streams_[stream].joined[other];
  if (streams_[other].work <= done) return;
  done = streams_[other].work;
  entries_.push_back(DeviceWait{write_record(other), stream});
}

void Streams::due(uint32_t n) {
  Stream& s = streams_[n];
  for (; s.barriers < barriers_.size(); s.barriers++)
    if (const Barrier& b = barriers_[s.barriers]; b.stream != n) entries_.push_back(DeviceWait{b.event, n});
  bool legacy = s.handle == kLegacyStream;
  for (uint32_t k = 0; k < streams_.size(); k++)
    if (k != n && ((legacy && streams_[k].blocking) || (s.blocking && streams_[k].handle == kLegacyStream))) join(n, k);
}

uint32_t Streams::use(Handle stream) {
  uint32_t n = number_of(stream);
  due(n);
  streams_[n].work++;
  return n;
}

const Streams::Stream* Streams::known(Handle handle) const {
  if (!handle) handle = kLegacyStream;
  for (const Stream& s : streams_)
    if (s.handle == handle) return &s;
  return nullptr;
}

void Streams::record(Handle event, Handle stream) {
  if (!known(stream)) {  // nothing to wait for
    events_.erase(event);
    return;
  }
  uint32_t n = number_of(stream);
  due(n);
  events_[event] = {write_record(n), n};
}

void Streams::wait(Handle stream, Handle event) {
  auto found = events_.find(event);
  if (found == events_.end()) return;
  uint32_t n = number_of(stream);
  due(n);
  if (found->second.stream != n) entries_.push_back(DeviceWait{found->second.event, n});
  streams_[n].work++;  // what comes later than this wait is later than the event
}

void Streams::host_waited_for_stream(Handle stream) {
  if (!stream) stream = kLegacyStream;
  for (uint32_t k = 0; k < streams_.size(); k++)
    if (streams_[k].handle == stream || (stream == kLegacyStream && streams_[k].blocking)) barrier(k);
}

void Streams::barrier(uint32_t n) {
  due(n);
  if (streams_[n].work == streams_[n].barrier_work) return;
  streams_[n].barrier_work = streams_[n].work;
  barriers_.push_back({write_record(n), n});
}

void Streams::host_waited_for_event(Handle event) {
  auto found = events_.find(event);
  if (found == events_.end()) return;
  for (const Barrier& b : barriers_)
    if (b.event == found->second.event) return;
  barriers_.push_back(found->second);
}

void Streams::host_waited_for_all() {
  for (uint32_t k = 0; k < streams_.size(); k++) barrier(k);
}

uint32_t Streams::finish() {
  std::vector<uint32_t> number(next_event_, UINT32_MAX);
  for (const DeviceEntry& e : entries_)
    if (auto w = std::get_if<DeviceWait>(&e)) number[w->event] = 0;
  uint32_t count = 0;
  for (uint32_t& n : number)
    if (n == 0) n = count++;
  std::erase_if(entries_, [&](const DeviceEntry& e) {
    auto r = std::get_if<DeviceRecord>(&e);
    return r && number[r->event] == UINT32_MAX;
  });
  for (DeviceEntry& e : entries_) {
    if (auto r = std::get_if<DeviceRecord>(&e)) r->event = number[r->event];
    if (auto w = std::get_if<DeviceWait>(&e)) w->event = number[w->event];
  }
  next_event_ = count;
  return count;
}

}  // namespace kbx::probe
