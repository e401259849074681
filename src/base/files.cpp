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

namespace {

bool write_all(const Fd& fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::write(fd.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(size_t(n));
  }
  return true;
}

}  // namespace

bool is_special_file(const std::filesystem::path& path) {
  std::error_code ec;
  auto status = std::filesystem::status(path, ec);
  return !ec && std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) && !std::filesystem::is_directory(status);
}

Result<void> write_file(const std::filesystem::path& path, std::string_view bytes) {
  bool special = is_special_file(path);
  auto place = path;
  if (!special) place += ".tmp" + std::to_string(::getpid());
  Fd fd(::open(place.c_str(), special ? O_WRONLY | O_CLOEXEC : O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!fd) return fail_errno(Code::io, "cannot write " + path.string());
  // Some file systems say only at the end that there is no space.
  bool done = write_all(fd, bytes) && ::close(fd.release()) == 0 && (special || ::rename(place.c_str(), path.c_str()) == 0);
  if (done) return {};
  auto error = fail_errno(Code::io, "cannot write " + path.string());
  if (!special) ::unlink(place.c_str());
  return error;
}

}  // namespace kbx
