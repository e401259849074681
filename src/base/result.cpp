#include "base/result.h"

#include <cerrno>
#include <cstring>

namespace kbx {

std::string Error::text() const {
  std::string out = message;
  for (const auto& line : context) out += "\n  " + (line.starts_with("while ") ? line : "while " + line);
  return out;
}

tl::unexpected<Error> fail_errno(Code code, std::string message) {
  int saved = errno;
  return fail(code, std::move(message) + ": " + std::strerror(saved));
}

Error with_context(Error error, std::string line) {
  error.context.push_back(std::move(line));
  return error;
}

}  // namespace kbx
