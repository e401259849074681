#include "cuda/context.h"

#include <fmt/format.h>

#include <array>

namespace kbx::cuda {
namespace {

int attribute(const Driver& cu, CUdevice device, CUdevice_attribute which) {
  int value = 0;
  return cu.cuDeviceGetAttribute(&value, which, device) == CUDA_SUCCESS ? value : 0;
}

std::string uuid_text(const CUuuid& id) {
  std::string out = "GPU-";
  for (size_t k = 0; k < sizeof id.bytes; k++) out += fmt::format("{}{:02x}", k == 4 || k == 6 || k == 8 || k == 10 ? "-" : "", uint8_t(id.bytes[k]));
  return out;
}

DeviceFacts facts_of(const Driver& cu, CUdevice device) {
  DeviceFacts f;
  std::array<char, 256> text{};
  if (cu.cuDeviceGetName(text.data(), int(text.size()), device) == CUDA_SUCCESS) f.name = text.data();
  if (cu.cuDeviceGetPCIBusId(text.data(), int(text.size()), device) == CUDA_SUCCESS) f.pci = text.data();
  if (CUuuid id{}; cu.cuDeviceGetUuid && cu.cuDeviceGetUuid(&id, device) == CUDA_SUCCESS) f.uuid = uuid_text(id);
  if (int version = 0; cu.cuDriverGetVersion(&version) == CUDA_SUCCESS) f.driver = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
  f.cc = attribute(cu, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 + attribute(cu, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  f.sms = attribute(cu, device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  f.l2_bytes = attribute(cu, device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  f.shared_per_block = attribute(cu, device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  f.clock_mhz = attribute(cu, device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000;
  if (size_t bytes = 0; cu.cuDeviceTotalMem(&bytes, device) == CUDA_SUCCESS) f.memory_bytes = int64_t(bytes);
  return f;
}

}  // namespace

Result<Context> open_context(const Driver& cu, int card) {
  auto failed = [&](const char* call, CUresult rc) { return fail(Code::sandbox, cu.error_text(call, rc)); };
  if (CUresult rc = cu.cuInit(0)) return failed("cuInit", rc);
  Context out;
  int cards = 0;
  if (CUresult rc = cu.cuDeviceGetCount(&cards)) return failed("cuDeviceGetCount", rc);
  if (card < 0 || card >= cards) return fail(Code::sandbox, fmt::format("there is no card {}: this machine shows {}", card, cards));
  if (CUresult rc = cu.cuDeviceGet(&out.device, card)) return failed("cuDeviceGet", rc);
  if (CUresult rc = cu.cuDevicePrimaryCtxRetain(&out.context, out.device)) return failed("cuDevicePrimaryCtxRetain", rc);
  if (CUresult rc = cu.cuCtxSetCurrent(out.context)) return failed("cuCtxSetCurrent", rc);
  out.facts = facts_of(cu, out.device);
  out.facts.cards = cards;
  return out;
}

}  // namespace kbx::cuda
