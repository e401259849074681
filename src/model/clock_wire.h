// The messages between kbx and kbx-clock: this header, JSON, then bytes. Both ways alike; one answer per command. The
// commands are described in docs/clock.md.
#pragma once
#include <cstddef>
#include <cstdint>

namespace kbx {

inline constexpr int kClockProtocol = 1;
inline constexpr int kClockFd = 3;
inline constexpr char kClockMagic[4] = {'K', 'B', 'X', 'C'};
struct ClockHeader {
  char magic[4];
  uint32_t json_bytes;
  uint64_t blob_bytes;
};
static_assert(sizeof(ClockHeader) == 16);

inline constexpr size_t kMaxClockJson = size_t(1) << 20;
inline constexpr size_t kMaxClockBlob = size_t(2) << 30;

}  // namespace kbx
