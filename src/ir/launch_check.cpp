// Checks of a launch.
#include "ir/launch_check.h"

#include <bit>

namespace kbx::ir {
namespace {

constexpr size_t kMaxRanges = 4096;

Result<void> check_range(const MemoryRange& r) {
  auto base = reinterpret_cast<uint64_t>(r.base);
  if (r.granule == 0 || r.granule > 8 || !std::has_single_bit(r.granule))
    return fail(Code::usage, "a range's granule must be 1, 2, 4 or 8");
  if (r.size > 0 && !r.base) return fail(Code::usage, "a range of some bytes at address 0");
  if (base >> 48 || r.size >> 48 || (base + r.size) >> 48) return fail(Code::usage, "a range beyond 48-bit addresses");
  return {};
}

}  // namespace

Result<void> check_launch(const MachineCode& code, const LaunchSpec& spec) {
  uint64_t programs = 1;
  for (int32_t g : spec.grid) {
    if (g < 0) return fail(Code::usage, "a negative grid dimension");
    programs *= static_cast<uint64_t>(g);
    if (programs >> 31) return fail(Code::usage, "a grid of 2^31 programs or more");
  }
  if (spec.arguments.size() != code.arguments.size())
    return fail(Code::usage, "the kernel takes " + std::to_string(code.arguments.size()) +
                                 " arguments, the launch has " + std::to_string(spec.arguments.size()));
  if (!spec.argument_ranges.empty() && spec.argument_ranges.size() != spec.arguments.size())
    return fail(Code::usage, "argument_ranges must have one entry an argument");
  if (spec.ranges.size() > kMaxRanges) return fail(Code::usage, "more than 4096 ranges");
  for (int32_t r : spec.argument_ranges)
    if (r < -1 || (r >= 0 && static_cast<size_t>(r) >= spec.ranges.size()))
      return fail(Code::usage, "an argument's range does not exist");
  for (const auto& r : spec.ranges) KBX_TRY(check_range(r));
  return {};
}

}  // namespace kbx::ir
