#include "model/finding.h"

#include <array>

namespace kbx {
namespace {
constexpr std::array<std::string_view, 3> kSeverity{"note", "warn", "reject"};
constexpr std::array<std::string_view, 8> kLayer{"intake", "lint", "compile", "jail", "run", "ir", "judge", "clock"};
}  // namespace

std::string_view to_text(Severity s) { return kSeverity[size_t(s)]; }
std::string_view to_text(Layer l) { return kLayer[size_t(l)]; }
std::optional<Severity> severity_from_text(std::string_view t) {
  for (size_t k = 0; k < kSeverity.size(); k++)
    if (kSeverity[k] == t) return Severity(k);
  return std::nullopt;
}
std::optional<Layer> layer_from_text(std::string_view t) {
  for (size_t k = 0; k < kLayer.size(); k++)
    if (kLayer[k] == t) return Layer(k);
  return std::nullopt;
}

}  // namespace kbx
