// What the compiler made for one candidate, as sealed memory.
#include "sandbox/kernel_cache.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace kbx::sandbox {

Result<KernelCache> KernelCache::create() {
  Fd fd(::memfd_create("kbx-kernels", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd) return fail_errno(Code::sandbox, "cannot make memory for compiled kernels");
  if (::ftruncate(fd.get(), kBytes) != 0) return fail_errno(Code::sandbox, "cannot size the memory for compiled kernels");
  if (::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW) != 0)
    return fail_errno(Code::sandbox, "cannot seal the memory for compiled kernels");
  return KernelCache(std::move(fd));
}

}  // namespace kbx::sandbox
