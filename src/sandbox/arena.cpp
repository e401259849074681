#include "sandbox/arena.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace kbx::sandbox {
namespace {
int64_t page_up(int64_t n) { return (std::max<int64_t>(n, 1) + 4095) / 4096 * 4096; }
}  // namespace

Result<Arena> Arena::create(int64_t input_bytes, int64_t output_bytes) {
  Arena arena;
  arena.input_bytes_ = page_up(input_bytes);
  arena.output_bytes_ = page_up(output_bytes);
  arena.fd_ = Fd(::memfd_create("kbx-arena", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!arena.fd_) return fail_errno(Code::sandbox, "cannot create shared memory (memfd_create)");
  if (::ftruncate(arena.fd_.get(), arena.input_bytes_ + arena.output_bytes_) != 0)
    return fail_errno(Code::sandbox, "cannot size shared memory (ftruncate)");
  // A worker that could shrink it would make reads fail; one that could grow it would eat the machine's memory.
  if (::fcntl(arena.fd_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return fail_errno(Code::sandbox, "cannot seal shared memory");
  return arena;
}

Result<void> Arena::write(int64_t at, const std::byte* data, size_t size) {
  while (size > 0) {
    ssize_t n = ::pwrite(fd_.get(), data, size, at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail_errno(Code::sandbox, "cannot write shared memory (is the machine out of memory?)");
    data += n;
    at += n;
    size -= size_t(n);
  }
  return {};
}

Result<void> Arena::fill(int64_t at, size_t size, std::byte value) {
  std::vector<std::byte> bytes(size, value);
  return write(at, bytes.data(), size);
}

Result<Bytes> Arena::read(int64_t at, size_t size) const {
  Bytes out(size);
  size_t done = 0;
  while (done < size) {
    ssize_t n = ::pread(fd_.get(), out.data() + done, size - done, at + int64_t(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail_errno(Code::sandbox, "cannot read shared memory");
    done += size_t(n);
  }
  return out;
}

}  // namespace kbx::sandbox
