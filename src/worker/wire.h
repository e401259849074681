// Wire: the numbers that kbx and its workers agree on (docs/wire.md, protocol 1). python/wire.py holds the same
// numbers; kbx_wire_constants() hands these out so that the zygote and a test can compare them.
#pragma once
#include <cstddef>
#include <cstdint>

namespace kbx::worker {

inline constexpr uint32_t kProtocol = 1;

// A frame on the child socket: this header, then `length` bytes of JSON. Little endian.
inline constexpr char kMagic[4] = {'K', 'B', 'X', 'W'};
struct FrameHeader {
  char magic[4];
  uint16_t version;
  uint16_t type;
  uint32_t length;
  uint32_t sequence;  // a reply repeats it
};
static_assert(sizeof(FrameHeader) == 16);

enum class FrameType : uint16_t { load = 1, loaded = 2, call = 3, returned = 4, finish = 5, bye = 6, prepare = 7, prepared = 8 };

inline constexpr size_t kMaxFrameBytes = 16u << 20;   // payload of one frame
inline constexpr size_t kMaxPacketBytes = 64u << 10;  // one zygote packet
inline constexpr int kZygoteFd = 3;                   // the zygote's socket

// python -c BOOT zygote.py ...: runs zygote.py under a name that does not tell where kbx lies, since the zygote's frames
// are at the bottom of every candidate's stack.
inline constexpr char kBoot[] = "import sys; del sys.argv[0]; __file__ = sys.argv[0]; exec(compile(open(__file__, encoding='utf-8').read(), 'kbx/zygote.py', 'exec'))";

// Arena: tensors stand at multiples of kAlignBytes, with kRedzoneBytes of kRedzoneByte before and after each input.
inline constexpr size_t kAlignBytes = 64;
inline constexpr size_t kRedzoneBytes = 256;
inline constexpr uint8_t kRedzoneByte = 0xA5;

// Storage that nobody wrote (torch.empty and its kin) is filled with this 16-bit pattern: a NaN in f16, bf16, f32, f64
// and both fp8 formats, the largest value of i16, a huge one of i32 and i64. A bool storage is filled with 1.
inline constexpr uint16_t kPoison = 0x7fff;

// Limits on what a child sends; more is a broken protocol.
inline constexpr int kMaxValueDepth = 16;
inline constexpr int kMaxValueItems = 65536;
inline constexpr int kMaxDims = 64;
inline constexpr int kMaxFindings = 64;
inline constexpr int kMaxLaunches = 4096;
inline constexpr size_t kMaxTraceBytes = 8u << 10;
inline constexpr size_t kMaxMessageBytes = 4u << 10;

}  // namespace kbx::worker
