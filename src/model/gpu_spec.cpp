// The datasheet table, and the names by which drivers know its cards. Tensor peaks are dense: half of what the documents
// state with sparsity.
#include "model/gpu_spec.h"

#include <algorithm>

namespace kbx {
namespace {

constexpr double kTera = 1e12, kGiga = 1e9;
constexpr int64_t kKib = 1024, kMib = 1024 * 1024;
constexpr auto kNone = std::nullopt;
constexpr std::string_view kUnitNames[kUnits] = {"f64", "f32", "tf32", "f16", "bf16", "f8", "i8"};

using Peak = std::array<std::optional<double>, kUnits>;  // in tera-operations: f64 f32 tf32 f16 bf16 f8 i8

constexpr Peak tera(Peak peak) {
  for (auto& p : peak)
    if (p) *p *= kTera;
  return peak;
}

// Shared memory a block: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
constexpr int64_t kShared80 = 163 * kKib, kShared86 = 99 * kKib, kShared90 = 227 * kKib;

constexpr GpuSpec kSpecs[] = {
    {"A100-40GB", 80, 108, 1555 * kGiga, tera({19.5, 19.5, 156, 312, 312, kNone, 624}), kShared80, 40 * kMib,
     "NVIDIA A100 Tensor Core GPU Architecture whitepaper"},
    {"A100-80GB", 80, 108, 2039 * kGiga, tera({19.5, 19.5, 156, 312, 312, kNone, 624}), kShared80, 40 * kMib,
     "NVIDIA A100 80GB (SXM) datasheet; A100 architecture whitepaper (SMs, L2)"},
    {"A100-80GB PCIe", 80, 108, 1935 * kGiga, tera({19.5, 19.5, 156, 312, 312, kNone, 624}), kShared80, 40 * kMib,
     "NVIDIA A100 datasheet (PCIe column); A100 architecture whitepaper (SMs, L2)"},
    {"RTX 3090", 86, 82, 936 * kGiga, tera({0.556, 35.6, 35.6, 142, 71, kNone, 284}), kShared86, 6 * kMib,
     "NVIDIA Ampere GA102 GPU Architecture whitepaper (f64: 1/64 of f32; f16 with f16 accumulation)"},
    {"RTX 4090", 89, 128, 1008 * kGiga, tera({1.29, 82.6, 82.6, 330.3, 165.2, 660.6, 660.6}), kShared86, 72 * kMib,
     "NVIDIA Ada GPU Architecture whitepaper (f64: 1/64 of f32; f16 and f8 with f16 accumulation)"},
    {"L40S", 89, 142, 864 * kGiga, tera({kNone, 91.6, 183, 362.05, 362.05, 733, 733}), kShared86, kNone,
     "NVIDIA L40S datasheet"},
    {"L20", 89, 92, 864 * kGiga, tera({kNone, 59.8, 59.8, 119.5, 119.5, 239, 239}), kShared86, kNone,
     "NVIDIA's specification table of H20, L20 and L2 (November 2023), as reprinted by the press"},
    {"H20", 90, 78, 4000 * kGiga, tera({1, 44, 74, 148, 148, 296, 296}), kShared90, 60 * kMib,
     "NVIDIA's specification table of H20, L20 and L2 (November 2023), as reprinted by the press"},
    {"H100 PCIe", 90, 114, 2000 * kGiga, tera({51.2, 51.2, 378, 756, 756, 1513, 1513}), kShared90, 50 * kMib,
     "NVIDIA H100 Tensor Core GPU Architecture whitepaper and datasheet"},
    {"H100 SXM", 90, 132, 3352 * kGiga, tera({66.9, 66.9, 494.7, 989.4, 989.4, 1978.9, 1978.9}), kShared90, 50 * kMib,
     "NVIDIA H100 Tensor Core GPU Architecture whitepaper and datasheet"},
    {"H800", 90, 132, 3352 * kGiga, tera({1, 67, 494.7, 989.4, 989.4, 1978.9, 1978.9}), kShared90, kNone,
     "NVIDIA H800 (SXM) specification, as reprinted by vendors of servers"},
    {"H200", 90, 132, 4800 * kGiga, tera({67, 67, 494.7, 989.4, 989.4, 1978.9, 1978.9}), kShared90, kNone,
     "NVIDIA H200 Tensor Core GPU datasheet (SXM)"},
    {"B200", 100, 148, 8000 * kGiga, tera({40, 80, 1100, 2250, 2250, 4500, 4500}), kShared90, kNone,
     "NVIDIA Blackwell Architecture Technical Brief (HGX B200; its later datasheet states less: 7.7 TB/s, f32 75, f64 37)"},
    {"RTX 5090", 120, 170, 1792 * kGiga, tera({1.64, 104.8, 104.8, 419, 209.5, 838, 838}), kShared86, 96 * kMib,
     "NVIDIA RTX Blackwell GPU Architecture whitepaper (f64: 1/64 of f32; f16 and f8 with f16 accumulation)"},
};

// A card's name in the driver -> its row. Names are compared whole: "RTX 4090 D", "H20-3e" and slices of a card (MIG) are
// other things than the cards whose names they begin with. Memory in GiB tells apart what shares a name.
struct DriverName {
  std::string_view driver, row;
  int least_gib = 0, most_gib = 1 << 20;
};
constexpr DriverName kDriverNames[] = {
    {"A100-SXM4-40GB", "A100-40GB"},
    {"A100-PCIE-40GB", "A100-40GB"},
    {"A100-SXM4-80GB", "A100-80GB"},
    {"A100 80GB PCIe", "A100-80GB PCIe"},
    {"GeForce RTX 3090", "RTX 3090"},
    {"GeForce RTX 4090", "RTX 4090"},
    {"GeForce RTX 5090", "RTX 5090"},
    {"L40S", "L40S"},
    {"L20", "L20"},
    {"H20", "H20", 90, 100},
    {"H100 PCIe", "H100 PCIe"},
    {"H100 80GB HBM3", "H100 SXM"},
    {"H800", "H800"},
    {"H200", "H200"},
    {"B200", "B200"},
};

}  // namespace

std::string_view to_text(Unit unit) { return kUnitNames[size_t(unit)]; }

std::optional<Unit> unit_from_text(std::string_view text) {
  for (size_t k = 0; k < kUnits; k++)
    if (kUnitNames[k] == text) return Unit(k);
  return std::nullopt;
}

std::span<const GpuSpec> gpu_specs() { return kSpecs; }

const GpuSpec* find_gpu(std::string_view name) {
  auto found = std::find_if(std::begin(kSpecs), std::end(kSpecs), [&](const GpuSpec& g) { return g.name == name; });
  return found == std::end(kSpecs) ? nullptr : &*found;
}

const GpuSpec* find_gpu_by_driver_name(std::string_view name, int sms, int64_t memory_bytes) {
  constexpr std::string_view kVendor = "NVIDIA ";
  if (name.substr(0, kVendor.size()) == kVendor) name.remove_prefix(kVendor.size());
  for (const DriverName& n : kDriverNames) {
    if (n.driver != name) continue;
    const GpuSpec* gpu = find_gpu(n.row);
    int64_t gib = memory_bytes >> 30;
    bool other = (sms > 0 && sms != gpu->sms) || (memory_bytes > 0 && (gib < n.least_gib || gib > n.most_gib));
    return other ? nullptr : gpu;
  }
  return nullptr;
}

TimeBound at_least(const GpuSpec& gpu, const Work& work) {
  TimeBound out;
  out.memory_seconds = work.bytes / gpu.bandwidth;
  out.seconds = out.memory_seconds;
  for (size_t k = 0; k < kUnits; k++) {
    if (!gpu.peak[k] || work.flops[k] / *gpu.peak[k] <= out.seconds) continue;
    out.seconds = work.flops[k] / *gpu.peak[k];
    out.compute = Unit(k);
  }
  return out;
}

}  // namespace kbx
