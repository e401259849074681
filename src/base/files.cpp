#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/fd.h"

namespace kbx {

Result<std::string> read_file(const std::filesystem::path& path) {
  Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return fail_errno(Code::io, "cannot read " + path.string());
  std::string out;
  char buffer[1 << 16];
  for (;;) {
    ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno(Code::io, "cannot read " + path.string());
    if (n == 0) return out;
    out.append(buffer, size_t(n));
  }
}

Result<void> write_file(const std::filesystem::path& path, std::string_view bytes) {
  auto temporary = path;
  temporary += ".tmp" + std::to_string(::getpid());
  Fd fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!fd) return fail_errno(Code::io, "cannot write " + path.string());
  while (!bytes.empty()) {
    ssize_t n = ::write(fd.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      auto error = fail_errno(Code::io, "cannot write " + path.string());
      ::unlink(temporary.c_str());
      return error;
    }
    bytes.remove_prefix(size_t(n));
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) return fail_errno(Code::io, "cannot write " + path.string());
  return {};
}

}  // namespace kbx
