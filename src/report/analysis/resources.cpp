// Resources of kernels by architecture: see the header.
#include "report/analysis/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/json.h"
#include "base/text.h"
#include "store/json_cut.h"

namespace kbx::report {
namespace {

constexpr int64_t kKib = 1024;
constexpr std::array<ArchLimits, 6> kLimits{{
    {80, 163 * kKib, 164 * kKib, kKib, 64, 32},
    {86, 99 * kKib, 100 * kKib, kKib, 48, 16},
    {89, 99 * kKib, 100 * kKib, kKib, 48, 24},
    {90, 227 * kKib, 228 * kKib, kKib, 64, 32},
    {100, 227 * kKib, 228 * kKib, kKib, 64, 32},
    {120, 99 * kKib, 100 * kKib, kKib, 48, 24},
}};
constexpr int kRegistersPerSm = 65536, kRegisterUnit = 256, kWarp = 32, kSchedulers = 4;  // each scheduler has a quarter of the registers

// One kernel on one architecture, over its specialisations.
struct OnArch {
  bool ok = true;
  int registers = 0;
  int64_t shared = 0;
  bool spills = false;
  double occupancy = 1;
  std::string error;
};

Compiled compiled_from(const store::RecordParts& j) {
  Compiled c;
  auto small = [&](const char* key) { return int(store::number_part(j, key).value_or(0)); };
  c.kernel = j.string("kernel");
  c.arch = small("arch");
  c.ok = j.text("ok") == "true";
  c.registers = small("registers");
  c.spill_stores = small("spill_stores");
  c.spill_loads = small("spill_loads");
  c.shared = small("shared");
  c.num_warps = small("num_warps");
  return c;
}

// The worker writes "line N: " in front where the compiler names a line (worker/python/compile_role.py).
int line_of_error(const std::string& error) {
  int line = 0;
  if (starts_with(error, "line ")) std::from_chars(error.data() + 5, error.data() + error.size(), line);
  return std::max(0, line);
}

// What the compiler said last, without its line.
std::string message_of(const std::string& error) {
  size_t colon = line_of_error(error) ? error.find(": ") : error.npos;
  std::string text = colon == error.npos ? error : error.substr(colon + 2);
  text = text.substr(text.find_last_of('\n') + 1);
  return text.size() > 160 ? text.substr(0, 160) : text;
}

std::string why_not(int arch, const OnArch& on) {
  if (!on.ok) return fmt::format("sm_{}: the compiler refuses it: {}", arch, message_of(on.error));
  return fmt::format("sm_{}: {} bytes of shared memory a block, the device has {}", arch, on.shared, limits_of(arch)->shared_per_block);
}

}  // namespace

const ArchLimits* limits_of(int arch) {
  auto found = std::find_if(kLimits.begin(), kLimits.end(), [&](const ArchLimits& l) { return l.arch == arch; });
  return found == kLimits.end() ? nullptr : &*found;
}

double theoretical_occupancy(const Compiled& k, const ArchLimits& limits) {
  int warps = std::max(1, k.num_warps);
  if (k.shared > limits.shared_per_block) return 0;
  int64_t blocks = std::min<int64_t>(limits.blocks_per_sm, limits.warps_per_sm / warps);
  if (k.registers > 0) {
    int64_t by_warp = (int64_t(k.registers) * kWarp + kRegisterUnit - 1) / kRegisterUnit * kRegisterUnit;
    blocks = std::min<int64_t>(blocks, kRegistersPerSm / by_warp / kSchedulers * kSchedulers / warps);
  }
  blocks = std::min<int64_t>(blocks, limits.shared_per_sm / (k.shared + limits.shared_reserved));
  return double(blocks * warps) / limits.warps_per_sm;
}

void Resources::add(const store::JobRow& row, const store::RecordParts& parts, const std::string& source) {
  if (parts.text("compiled").size() <= 2) return;
  std::map<std::string, std::map<int, OnArch>> by_kernel;
  for (std::string_view item : store::list_parts(parts.text("compiled"))) {
    store::RecordParts cut(item);
    Compiled c = compiled_from(cut);
    OnArch& on = by_kernel[c.kernel][c.arch];
    const ArchLimits* limits = limits_of(c.arch);
    c.ok |= limits && c.shared > limits->shared_per_block;  // compiled; only the launch fails
    on.ok &= c.ok;
    if (on.error.empty()) on.error = cut.string("error");
    on.registers = std::max(on.registers, c.registers);
    on.shared = std::max<int64_t>(on.shared, c.shared);
    on.spills |= c.spill_stores + c.spill_loads > 0;
    if (limits && c.ok) on.occupancy = std::min(on.occupancy, theoretical_occupancy(c, *limits));
  }
  for (const auto& [kernel, on_archs] : by_kernel) {
    kernels++;
    Unportable u{source, std::string(row.candidate), kernel, {}, {}, "", 0};
    for (const auto& [arch, on] : on_archs) {
      const ArchLimits* limits = limits_of(arch);
      bool fits = !limits || on.shared <= limits->shared_per_block;
      ArchCounts& counts = archs[arch];
      counts.kernels++;
      counts.compiled += on.ok;
      counts.spilling += on.ok && on.spills;
      counts.too_much_shared += on.ok && !fits;
      if (on.ok) counts.registers.push_back(float(on.registers));
      if (on.ok && fits && limits) counts.occupancy.push_back(float(on.occupancy));
      (on.ok && fits ? u.runs : u.fails).push_back(arch);
      if (on.ok && fits) continue;
      if (u.why.empty()) u.why = why_not(arch, on);
      if (!u.line) u.line = line_of_error(on.error);
    }
    if (u.runs.empty() || u.fails.empty()) continue;
    unportable_count++;
    if (unportable.size() < kMost) unportable.push_back(std::move(u));
  }
}

}  // namespace kbx::report
