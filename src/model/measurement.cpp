// Counted work under the units of the datasheet table.
#include "model/measurement.h"

namespace kbx {
namespace {

// "f32", "dot_f16", "dot_tf32", "dot_e4m3" -> the unit; nullopt = no row of the table speaks of it.
std::optional<Unit> unit_of(std::string_view kind) {
  bool dot = kind.substr(0, 4) == "dot_";
  if (dot) kind.remove_prefix(4);
  if (kind.substr(0, 2) == "e4" || kind.substr(0, 2) == "e5" || kind.substr(0, 2) == "f8") return Unit::f8;
  return unit_from_text(kind);
}

}  // namespace

Work work_of(const Launch& launch) {
  Work out;
  out.bytes = double(launch.unique_load_bytes) + double(launch.unique_store_bytes);
  for (const auto& [kind, n] : launch.flops_by)
    if (auto unit = unit_of(kind)) out.flops[size_t(*unit)] += double(n);
  return out;
}

Work work_of(const CallCost& cost) {
  Work out;
  out.bytes = cost.bytes;
  if (auto unit = unit_from_text(cost.unit)) out.flops[size_t(*unit)] = cost.flops;
  return out;
}

}  // namespace kbx
