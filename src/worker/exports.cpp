// Exports: the C functions that python calls.
#include "worker/exports.h"

#include <cerrno>
#include <cstring>

#include "worker/wire.h"

using namespace kbx::worker;

namespace {

int32_t tell(const JailFailure& failure, int32_t* step) {
  *step = static_cast<int32_t>(failure.step);
  if (!failure.failed()) return 0;
  return failure.error != 0 ? failure.error : EINVAL;
}

uint64_t type_number(FrameType type) { return static_cast<uint64_t>(type); }

}  // namespace

size_t kbx_wire_constants(uint64_t* out, size_t capacity) {
  uint32_t magic = 0;
  std::memcpy(&magic, kMagic, sizeof magic);
  const uint64_t values[] = {kProtocol,
                             magic,
                             sizeof(FrameHeader),
                             type_number(FrameType::load),
                             type_number(FrameType::loaded),
                             type_number(FrameType::call),
                             type_number(FrameType::returned),
                             type_number(FrameType::finish),
                             type_number(FrameType::bye),
                             kMaxFrameBytes,
                             kMaxPacketBytes,
                             kZygoteFd,
                             kAlignBytes,
                             kRedzoneBytes,
                             kRedzoneByte,
                             kPoison,
                             kMaxValueDepth,
                             kMaxValueItems,
                             kMaxDims,
                             kMaxFindings,
                             kMaxLaunches,
                             kMaxTraceBytes,
                             kMaxMessageBytes,
                             type_number(FrameType::prepare),
                             type_number(FrameType::prepared)};
  const size_t count = sizeof values / sizeof values[0];
  for (size_t k = 0; k < count && k < capacity; ++k) out[k] = values[k];
  return count;
}

uint64_t kbx_jail_sizeof() { return sizeof(JailRequest); }
int32_t kbx_jail_outer(const JailRequest* request, int32_t* step) { return tell(jail_outer(*request), step); }
int32_t kbx_jail_inner(const JailRequest* request, int32_t* step) { return tell(jail_inner(*request), step); }
void kbx_jail_repeat(int32_t pid) { jail_repeat(pid); }
const char* kbx_jail_step_text(int32_t step) { return to_text(static_cast<JailStep>(step)); }
