#include "model/timing.h"

#include <array>

namespace kbx {
namespace {
constexpr std::array<std::string_view, 3> kTimedBy{"replay", "mixed", "in_process"};
}

std::string_view to_text(TimedBy by) { return kTimedBy[size_t(by)]; }
std::optional<TimedBy> timed_by_from_text(std::string_view text) {
  for (size_t k = 0; k < kTimedBy.size(); k++)
    if (kTimedBy[k] == text) return TimedBy(k);
  return std::nullopt;
}

}  // namespace kbx
