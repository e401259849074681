// Arena: the memory a worker shares with the supervisor for tensor bytes: [inputs][results], a memfd sealed against
// resizing. The supervisor touches it with pread/pwrite only, so nothing the worker does can fault or race a mapping.
#pragma once
#include <cstddef>
#include <cstdint>

#include "base/fd.h"
#include "base/result.h"
#include "model/value.h"
#include "worker/wire.h"

namespace kbx::sandbox {

class Arena {
 public:
  static constexpr int64_t kAlign = worker::kAlignBytes;
  static constexpr int64_t kRedzone = worker::kRedzoneBytes;  // of kRedzoneByte before and after every input storage
  static constexpr std::byte kRedzoneByte{worker::kRedzoneByte};

  // Sizes in bytes, rounded up to pages. Sparse: untouched pages cost nothing.
  static Result<Arena> create(int64_t input_bytes, int64_t output_bytes);

  int fd() const { return fd_.get(); }
  int64_t input_bytes() const { return input_bytes_; }
  int64_t output_at() const { return input_bytes_; }
  int64_t output_bytes() const { return output_bytes_; }

  Result<void> write(int64_t at, const std::byte* data, size_t size);
  Result<Bytes> read(int64_t at, size_t size) const;
  Result<void> fill(int64_t at, size_t size, std::byte value);

 private:
  Fd fd_;
  int64_t input_bytes_ = 0, output_bytes_ = 0;
};

}  // namespace kbx::sandbox
