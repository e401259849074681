// The order of kernels.
#include "agent/standing.h"

namespace kbx::agent {

std::string_view to_text(Standing standing) {
  switch (standing) {
    case Standing::none:
      return "none";
    case Standing::raw:
      return "raw";
    case Standing::called:
      return "called";
    case Standing::executes:
      return "executes";
    case Standing::timed:
      return "timed";
  }
  return "";
}

Standing standing_of(bool has_code, const std::optional<Feedback>& f) {
  if (!has_code) return Standing::none;
  if (!f || !(f->called || f->executes)) return Standing::raw;
  if (!f->executes) return Standing::called;
  return f->speedup && *f->speedup > 0 ? Standing::timed : Standing::executes;
}

bool better(const Feedback& a, const Feedback& b) {
  Standing sa = standing_of(true, a), sb = standing_of(true, b);
  if (sa != sb) return sa > sb;
  return sa == Standing::timed && *a.speedup > *b.speedup;
}

}  // namespace kbx::agent
