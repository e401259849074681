#include "clock/card.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/clock.h"

namespace kbx::clock {

namespace {

// Errors after which a context answers every call with an error (CUDA driver API, CUresult).
bool kills_context(CUresult code) {
  switch (code) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_UNKNOWN:
      return true;
    default:
      return false;
  }
}

}  // namespace

Result<std::unique_ptr<Card>> Card::open(int index) {
  KBX_TRY_ASSIGN(cuda::Driver driver, cuda::load_driver());
  KBX_TRY_ASSIGN(cuda::Context context, cuda::open_context(driver, index));
  CUstream stream = nullptr;
  if (CUresult rc = driver.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING)) return fail(Code::sandbox, driver.error_text("cuStreamCreate", rc));
  return std::make_unique<Card>(driver, std::move(context), stream);
}

Outcome<void> Card::check(CUresult code, const char* call, Fault::Kind kind) const {
  if (code == CUDA_SUCCESS) return {};
  if (kills_context(code)) kind = Fault::Kind::device;
  if (code == CUDA_ERROR_OUT_OF_MEMORY) kind = Fault::Kind::memory;
  return fault(kind, cu.error_text(call, code));
}

Outcome<void> Card::poll(const std::function<CUresult()>& query, double limit_ms, const char* call) const {
  auto start = Steady::now();
  for (;;) {
    CUresult rc = query();
    if (rc != CUDA_ERROR_NOT_READY) return check(rc, call, Fault::Kind::device);
    double spent = seconds_since(start) * 1e3;
    if (spent > limit_ms) return fault(Fault::Kind::timeout, fmt::format("the work on the card did not end within {:.0f} ms", limit_ms));
    if (spent > 20) ::usleep(200);  // long work: leave the processor to others
  }
}

Outcome<void> Card::wait(double limit_ms) const {
  return poll([&] { return cu.cuStreamQuery(stream_); }, limit_ms, "cuStreamQuery");
}
Outcome<void> Card::wait(CUevent event, double limit_ms) const {
  return poll([&] { return cu.cuEventQuery(event); }, limit_ms, "cuEventQuery");
}

Outcome<size_t> Card::free_bytes() const {
  size_t free = 0, total = 0;
  KBX_TRY(check(cu.cuMemGetInfo(&free, &total), "cuMemGetInfo", Fault::Kind::device));
  return free;
}

}  // namespace kbx::clock
