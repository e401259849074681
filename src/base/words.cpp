#include "base/words.h"

#include <fmt/format.h>

#include "base/text.h"

namespace kbx {

std::string counted(int64_t n, std::string_view noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  auto near = nearest(name, known);
  return near.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(near, ", "));
}

}  // namespace kbx
