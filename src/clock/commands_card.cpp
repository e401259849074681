// Commands about the card itself.
#include <algorithm>

#include "clock/session.h"

namespace kbx::clock {

Outcome<Message> Session::memory(const Message&) {
  size_t free = 0, total = 0;
  KBX_TRY(card_->check(card_->cu.cuMemGetInfo(&free, &total), "cuMemGetInfo", Fault::Kind::device));
  return Message{{{"free", free}, {"total", total}}, {}};
}

// What NVML says; its values are up to 100 ms old, so this is for the record.
void Session::add_state(Json& to, const char* when) const {
  if (!nvml_) {
    to["nvml"] = "none";
    return;
  }
  cuda::NvmlSnapshot s = nvml_->snapshot();
  to[std::string("nvml_") + when] = {{"sm_mhz", s.sm_mhz}, {"memory_mhz", s.memory_mhz}, {"celsius", s.celsius}, {"watts", s.watts},
                                     {"throttle_reasons", s.throttle_reasons}, {"processes", s.processes}};
  to["throttle_reasons"] = s.throttle_reasons;
  // Processes beside this one: the supervisor knows which of them are its own.
  to["co_tenants"] = s.processes.empty() ? 0 : s.processes.size() - 1;
}

// The best of some copies and reads of a buffer that no cache holds.
Outcome<Message> Session::bandwidth(const Message&) {
  constexpr uint64_t kMost = uint64_t(1) << 30;
  constexpr int kRuns = 8;
  KBX_TRY_ASSIGN(size_t free, card_->free_bytes());
  uint64_t bytes = std::min<uint64_t>(kMost, free / 8) / 4096 * 4096;
  if (bytes == 0) return fault(Fault::Kind::memory, "no memory is free");
  KBX_TRY_ASSIGN(Buffer from, Buffer::make(*card_, bytes));
  KBX_TRY_ASSIGN(Buffer to, Buffer::make(*card_, bytes));
  auto copy = [&] { return card_->check(card_->cu.cuMemcpyDtoDAsync(to.at(), from.at(), bytes, card_->stream()), "cuMemcpyDtoDAsync", Fault::Kind::device); };
  auto read = [&] { return kernels_->launch("read_flush", kernels_->over(bytes / 16, 512), from.at(), bytes / 16, to.at()); };
  double best_copy = 0, best_read = 0;
  KBX_TRY(card_->check(card_->cu.cuMemsetD32Async(from.at(), 1, bytes / 4, card_->stream()), "cuMemsetD32Async", Fault::Kind::device));
  for (int k = 0; k < kRuns; k++) {
    KBX_TRY_ASSIGN(double copy_us, runner_->time(copy, "R"));
    KBX_TRY_ASSIGN(double read_us, runner_->time(read, "R"));
    best_copy = std::max(best_copy, 2e6 * double(bytes) / copy_us);  // read and written
    best_read = std::max(best_read, 1e6 * double(bytes) / read_us);
  }
  return Message{{{"copy", best_copy}, {"read", best_read}, {"bytes", bytes}}, {}};
}

}  // namespace kbx::clock
