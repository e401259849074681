#include "report/profile_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/text.h"
#include "report/hardware.h"

namespace kbx::report {
namespace {

constexpr size_t kNameWidth = 32;

struct Row {
  std::vector<const KernelProfile*> launches;

  using Field = std::function<std::optional<double>(const KernelProfile&)>;
  // Absent as soon as one launch has it not.
  std::optional<double> mean(const Field& field) const {
    double sum = 0;
    for (const KernelProfile* k : launches) {
      auto v = field(*k);
      if (!v) return std::nullopt;
      sum += *v;
    }
    return sum / double(launches.size());
  }
};

std::vector<Row> rows_of(const CandidateProfile& p) {
  std::vector<Row> rows;
  for (const KernelProfile& k : p.kernels) {
    auto same = [&](const Row& r) { return r.launches[0]->kernel == k.kernel && r.launches[0]->grid == k.grid && r.launches[0]->block == k.block; };
    auto it = std::find_if(rows.begin(), rows.end(), same);
    if (it == rows.end()) it = rows.insert(rows.end(), Row{});
    it->launches.push_back(&k);
  }
  return rows;
}

std::string moved_text(std::optional<double> bytes) { return bytes ? bytes_text(*bytes) : "-"; }
std::string number_text(std::optional<double> v, const char* unit) { return v ? fmt::format("{:.1f}{}", *v, unit) : "-"; }

std::string row_text(const Row& r) {
  const KernelProfile& first = *r.launches[0];
  std::string name = first.kernel.size() > kNameWidth ? first.kernel.substr(0, kNameWidth - 3) + "..." : first.kernel;
  auto field = [&](auto member) { return r.mean([member](const KernelProfile& k) -> std::optional<double> { return k.*member; }); };
  return fmt::format("{:<32} {:>4} {:>9} {:>10} {:>10} {:>7} {:>7} {:>7} {:>9} {:>5}\n", name, r.launches.size(), number_text(field(&KernelProfile::us), ""),
                     moved_text(field(&KernelProfile::read_bytes)), moved_text(field(&KernelProfile::written_bytes)), number_text(field(&KernelProfile::l2_hits), "%"),
                     number_text(field(&KernelProfile::sm), "%"), number_text(field(&KernelProfile::tensor), "%"), number_text(field(&KernelProfile::occupancy), "%"),
                     first.registers ? std::to_string(*first.registers) : "-");
}

std::string comparison_text(const CandidateProfile& p) {
  auto moved = p.dram_bytes();
  if (!moved) return "DRAM bytes: not counted for every kernel\n";
  if (p.formula_bytes <= 0) return fmt::format("DRAM bytes {}; the task has no formula for this size\n", bytes_text(*moved));
  return fmt::format("DRAM bytes {} vs the task's formula {} (x{:.2f})\n", bytes_text(*moved), bytes_text(p.formula_bytes), *moved / p.formula_bytes);
}

Json optional_json(const std::optional<double>& v) { return v ? Json(*v) : Json(); }

}  // namespace

std::string profile_text(const CandidateProfile& p) {
  std::string out = fmt::format("{} · {} at size {} · {} · {}\n\n", shown(p.candidate), p.task, p.size, p.gpu, p.tool);
  out += fmt::format("{:<32} {:>4} {:>9} {:>10} {:>10} {:>7} {:>7} {:>7} {:>9} {:>5}\n", "kernel", "n", "us", "read", "written", "L2 hit", "SM", "tensor", "occupancy", "regs");
  for (const Row& r : rows_of(p)) out += row_text(r);
  out += "\n" + comparison_text(p);
  for (const std::string& note : p.notes) out += "note: " + shown(note, 500) + "\n";
  return out;
}

Json profile_json(const CandidateProfile& p) {
  Json kernels = Json::array();
  for (const KernelProfile& k : p.kernels)
    kernels.push_back({{"kernel", k.kernel}, {"grid", k.grid}, {"block", k.block}, {"us", optional_json(k.us)}, {"read_bytes", optional_json(k.read_bytes)},
                       {"written_bytes", optional_json(k.written_bytes)}, {"l2_hit_percent", optional_json(k.l2_hits)}, {"sm_percent", optional_json(k.sm)},
                       {"tensor_percent", optional_json(k.tensor)}, {"occupancy_percent", optional_json(k.occupancy)}, {"registers", k.registers ? Json(*k.registers) : Json()}});
  auto moved = p.dram_bytes();
  Json ratio = moved && p.formula_bytes > 0 ? Json(*moved / p.formula_bytes) : Json();
  return {{"candidate", p.candidate}, {"task", p.task}, {"size", p.size}, {"gpu", p.gpu}, {"tool", p.tool}, {"kernels", kernels},
          {"dram_bytes", optional_json(moved)}, {"formula_bytes", p.formula_bytes > 0 ? Json(p.formula_bytes) : Json()}, {"ratio", ratio}, {"notes", p.notes}};
}

}  // namespace kbx::report
