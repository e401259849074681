// Fuzzes the bytes in which a hostile child says what it did on the GPU: whatever is accepted lies inside its arena and
// is the same tape after one more trip through its bytes.
#include <cstdint>

#include "base/check.h"
#include "model/device_tape.h"

namespace {

using namespace kbx;

bool inside(const DeviceTape& t, uint64_t at, uint64_t bytes) {
  return at >= t.base && at - t.base <= t.bytes && bytes <= t.bytes - (at - t.base);
}

void check_entry(const DeviceTape& t, const DeviceLaunch& l) {
  KBX_CHECK(t.functions.at(l.function).image < t.images.size() && l.stream < t.streams);
}
void check_entry(const DeviceTape& t, const DeviceFill& f) {
  if (f.rows && f.columns)
    KBX_CHECK(inside(t, f.at, f.columns * f.width) && inside(t, f.at + (f.rows - 1) * f.pitch, f.columns * f.width));
}
void check_entry(const DeviceTape& t, const DeviceCopy& c) {
  if (!c.rows || !c.columns) return;
  if (c.kind != DeviceCopy::Kind::to_host) KBX_CHECK(inside(t, c.to + (c.rows - 1) * c.to_pitch, c.columns));
  if (c.kind != DeviceCopy::Kind::to_device) KBX_CHECK(inside(t, c.from + (c.rows - 1) * c.from_pitch, c.columns));
}
void check_entry(const DeviceTape& t, const DeviceRecord& r) { KBX_CHECK(r.event < t.events && r.stream < t.streams); }
void check_entry(const DeviceTape& t, const DeviceWait& w) { KBX_CHECK(w.event < t.events && w.stream < t.streams); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto tape = parse_device_tape(reinterpret_cast<const std::byte*>(data), size);
  if (!tape) {
    KBX_CHECK(!tape.error().message.empty());
    return 0;
  }
  Bytes again = dump_device_tape(*tape);
  auto same = parse_device_tape(again.data(), again.size());
  KBX_CHECK(same && dump_device_tape(*same) == again);
  for (const DeviceEntry& e : tape->entries) std::visit([&](const auto& v) { check_entry(*tape, v); }, e);
  for (const DeviceRange& r : tape->live) KBX_CHECK(inside(*tape, r.at, r.bytes));
  for (const DeviceConstant& c : tape->constants) KBX_CHECK(inside(*tape, c.at, c.data.size()));
  return 0;
}
