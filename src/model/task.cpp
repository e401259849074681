#include "model/task.h"

#include <array>

namespace kbx {
namespace {
constexpr std::array<std::string_view, 6> kOracles{"close", "exact", "quantized", "factorization", "statistical", "set"};
}

std::string_view to_text(OracleKind kind) { return kOracles[size_t(kind)]; }
std::optional<OracleKind> oracle_kind_from_text(std::string_view text) {
  for (size_t k = 0; k < kOracles.size(); k++)
    if (kOracles[k] == text) return OracleKind(k);
  return std::nullopt;
}

const Oracle& oracle_for(const Task& task, const std::string& path) {
  auto it = task.oracle_at.find(path);
  return it == task.oracle_at.end() ? task.oracle : it->second;
}

}  // namespace kbx
