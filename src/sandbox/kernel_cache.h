// KernelCache: memory through which the compile child hands what the compiler made to the GPU child of the same
// candidate, so that the card does not wait for a compiler. kbx carries it and never looks inside; a child packs and
// unpacks it in its own jail (python/kernel_pack.py), so nothing of it ever is a file of the host.
#pragma once
#include <cstdint>

#include "base/fd.h"
#include "base/result.h"

namespace kbx::sandbox {

// One candidate's; never given to a child of another one: what lies in it is as hostile as the candidate.
class KernelCache {
 public:
  static constexpr int64_t kBytes = int64_t(64) << 20;  // memory is taken as it is written to

  // Empty, of a size that nobody can change.
  static Result<KernelCache> create();
  int fd() const { return fd_.get(); }

 private:
  explicit KernelCache(Fd fd) : fd_(std::move(fd)) {}
  Fd fd_;
};

}  // namespace kbx::sandbox
