#include "clock/kernels.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "base/files.h"
#include "base/hash.h"
#include "clock/device_base.h"
#include "clock/device_bytes.h"
#include "clock/device_compare.h"
#include "clock/device_draw.h"
#include "clock/device_matrix.h"
#include "clock/device_numbers.h"
#include "clock/device_place.h"
#include "clock/device_random.h"
#include "clock/trusted.h"
#include "cuda/nvrtc.h"

namespace kbx::clock {
namespace {

constexpr std::array kNames{"draw_single", "draw_double", "draw_reflectors", "draw_matrices", "poison_pieces", "move_pieces", "guard_pieces", "checksum",
                            "gather", "compare_first", "compare_second", "nothing", "read_flush", "scrub_shared", "probe_clock"};

std::vector<cuda::Nvrtc::Header> headers() {
  return {{"device_base.h", kDeviceBase},     {"device_numbers.h", kDeviceNumbers}, {"device_random.h", kDeviceRandom},
          {"device_draw.h", kDeviceDraw},     {"device_matrix.h", kDeviceMatrix},   {"device_compare.h", kDeviceCompare},
          {"device_bytes.h", kDeviceBytes},   {"device_place.h", kDevicePlace}};
}

// An entry is the hash of the machine code in hex, then the machine code: half a file is not taken for a whole one.
constexpr size_t kHashText = 64;

std::filesystem::path entry_path(const std::string& folder, int arch, const std::string& version, const std::vector<std::string>& options) {
  FieldHash hash;
  hash.add(kTrusted).add(std::to_string(arch)).add(version);
  for (const auto& h : headers()) hash.add(h.text);
  for (const auto& o : options) hash.add(o);
  return std::filesystem::path(folder) / fmt::format("clock-sm{}-{}.cubin", arch, hash.hex().substr(0, 32));
}
std::string cached(const std::filesystem::path& path) {
  auto bytes = read_file(path);
  if (!bytes || bytes->size() <= kHashText) return "";
  std::string code = bytes->substr(kHashText);
  return sha256_hex(code) == bytes->substr(0, kHashText) ? code : "";
}
void keep(const std::filesystem::path& path, const std::string& code) {
  std::error_code ignored;
  std::filesystem::create_directories(path.parent_path(), ignored);
  (void)write_file(path, sha256_hex(code) + code);  // a cache that cannot be written costs a second a start
}

Result<CUmodule> load_module(const Card& card, const std::string& code) {
  CUmodule module = nullptr;
  if (CUresult rc = card.cu.cuModuleLoadData(&module, code.data())) return fail(Code::sandbox, card.cu.error_text("cuModuleLoadData of the trusted code", rc));
  return module;
}

}  // namespace

Result<std::string> trusted_cubin(const KernelSource& source, int arch, std::string* version) {
  KBX_TRY_ASSIGN(cuda::Nvrtc nvrtc, cuda::Nvrtc::load(source.nvrtc));
  *version = nvrtc.version();
  // No contraction of products and sums: inputs are the same bits as on the CPU.
  std::vector<std::string> options{fmt::format("--gpu-architecture=sm_{}", arch), "--std=c++17", "--fmad=false"};
  auto path = entry_path(source.cache, arch, nvrtc.version(), options);
  if (!source.cache.empty())
    if (std::string code = cached(path); !code.empty()) return code;
  KBX_TRY_ASSIGN(std::string code, nvrtc.compile("trusted.cu", kTrusted, headers(), options));
  if (!source.cache.empty()) keep(path, code);
  return code;
}

Result<Kernels> Kernels::load(const Card& card, const KernelSource& source) {
  Kernels out;
  out.card_ = &card;
  KBX_TRY_ASSIGN(std::string code, trusted_cubin(source, card.facts().cc, &out.version_));
  KBX_TRY_ASSIGN(CUmodule module, load_module(card, code));
  for (const char* name : kNames)
    if (CUresult rc = card.cu.cuModuleGetFunction(&out.functions_[name], module, name)) return fail(Code::internal, card.cu.error_text(name, rc));
  return out;
}

Kernels::Grid Kernels::over(uint64_t items, unsigned block) const {
  uint64_t most = uint64_t(std::max(1, card_->facts().sms)) * 8;
  return {unsigned(std::clamp<uint64_t>((items + block - 1) / block, 1, most)), 1, block, 0};
}

Outcome<void> Kernels::allow_shared(const char* name, int bytes) const {
  return card_->check(card_->cu.cuFuncSetAttribute(functions_.at(name), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes), name, Fault::Kind::function);
}

Outcome<void> Kernels::launch_raw(const char* name, Grid grid, void** arguments) const {
  CUresult rc = card_->cu.cuLaunchKernel(functions_.find(name)->second, grid.x, grid.y, 1, grid.block, 1, 1, grid.shared, card_->stream(), arguments, nullptr);
  return card_->check(rc, name, Fault::Kind::device);
}

}  // namespace kbx::clock
