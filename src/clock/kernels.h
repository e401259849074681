// Kernels: the trusted device code, compiled by the user's NVRTC for this card and kept in a folder as machine code.
#pragma once
#include <map>
#include <string>

#include "clock/card.h"

namespace kbx::clock {

struct KernelSource {
  std::string nvrtc;  // library's path; "" = by name
  std::string cache;  // folder; "" = none
};

// Machine code for sm_<arch>: from the cache when its entry is whole, else compiled and put there (by renaming, so that
// another process sees all of it or nothing). *version is NVRTC's.
Result<std::string> trusted_cubin(const KernelSource& source, int arch, std::string* version);

class Kernels {
 public:
  // Error: NVRTC is missing or fails, or the driver refuses what it made (the cache's entry is then removed and made anew once).
  static Result<Kernels> load(const Card& card, const KernelSource& source);

  const std::string& nvrtc_version() const { return version_; }

  struct Grid {
    unsigned x = 1, y = 1, block = 256, shared = 0;
  };
  // Arguments are passed as they are: their types must be those of the kernel (src/clock/device/trusted.cu).
  template <class... T>
  Outcome<void> launch(const char* name, Grid grid, T... arguments) const {
    void* pointers[] = {static_cast<void*>(&arguments)..., nullptr};
    return launch_raw(name, grid, pointers);
  }
  // Blocks enough to fill the card with loops over `items`.
  Grid over(uint64_t items, unsigned block = 256) const;
  Outcome<void> allow_shared(const char* name, int bytes) const;

 private:
  Outcome<void> launch_raw(const char* name, Grid grid, void** arguments) const;
  const Card* card_ = nullptr;
  std::map<std::string, CUfunction, std::less<>> functions_;
  std::string version_;
};

}  // namespace kbx::clock
