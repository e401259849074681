// Card: the GPU that this process has, its driver and the stream that everything trusted runs on.
#pragma once
#include <functional>
#include <memory>
#include <random>

#include "base/system.h"
#include "clock/fault.h"
#include "cuda/context.h"
#include "cuda/driver.h"

namespace kbx::clock {

class Card {
 public:
  Card(cuda::Driver driver, cuda::Context context, CUstream stream) : cu(driver), context_(std::move(context)), stream_(stream), random(system_random()) {}
  Card(const Card&) = delete;
  static Result<std::unique_ptr<Card>> open(int index);

  const cuda::Driver cu;
  const cuda::DeviceFacts& facts() const { return context_.facts; }
  CUdevice device() const { return context_.device; }
  CUstream stream() const { return stream_; }

  // A CUDA result as a fault: `kind`, unless the code says that memory is short or that the context is dead.
  Outcome<void> check(CUresult code, const char* call, Fault::Kind kind) const;
  // Waits for the stream, at most limit_ms. Fault: timeout, or device.
  Outcome<void> wait(double limit_ms) const;
  // The same for an event, without giving up the processor.
  Outcome<void> wait(CUevent event, double limit_ms) const;
  // For what is ours and ends by itself.
  Outcome<void> wait() const { return wait(60e3); }
  Outcome<size_t> free_bytes() const;

 private:
  Outcome<void> poll(const std::function<CUresult()>& query, double limit_ms, const char* call) const;

  cuda::Context context_;
  CUstream stream_;

 public:
  std::mt19937_64 random;  // addresses, orders and keys: nothing that a tape could foresee
};

}  // namespace kbx::clock
