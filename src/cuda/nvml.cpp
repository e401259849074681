#include "cuda/nvml.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>

namespace kbx::cuda {
namespace {
constexpr int kSmClock = 1, kMemoryClock = 2, kTemperatureOfGpu = 0;  // nvmlClockType_t, nvmlTemperatureSensors_t
}

std::optional<Nvml> Nvml::open(const std::string& pci) {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return std::nullopt;
  Nvml out;
  auto get = [&](auto& to, std::initializer_list<const char*> names) {
    for (const char* name : names)
      if (!to) to = reinterpret_cast<std::remove_reference_t<decltype(to)>>(dlsym(library, name));
  };
  get(out.calls_.init, {"nvmlInit_v2"});
  get(out.calls_.driver, {"nvmlSystemGetDriverVersion"});
  get(out.calls_.by_pci, {"nvmlDeviceGetHandleByPciBusId_v2"});
  get(out.calls_.clock, {"nvmlDeviceGetClockInfo"});
  get(out.calls_.max_clock, {"nvmlDeviceGetMaxClockInfo"});
  get(out.calls_.reasons, {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
  get(out.calls_.temperature, {"nvmlDeviceGetTemperature"});
  get(out.calls_.power, {"nvmlDeviceGetPowerUsage"});
  get(out.calls_.processes, {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"});
  if (!out.calls_.init || !out.calls_.by_pci || out.calls_.init() != 0) return std::nullopt;
  if (out.calls_.by_pci(pci.c_str(), &out.device_) != 0) return std::nullopt;
  return out;
}

NvmlSnapshot Nvml::snapshot() const {
  NvmlSnapshot s;
  if (calls_.clock) calls_.clock(device_, kSmClock, &s.sm_mhz);
  if (calls_.clock) calls_.clock(device_, kMemoryClock, &s.memory_mhz);
  if (calls_.temperature) calls_.temperature(device_, kTemperatureOfGpu, &s.celsius);
  unsigned long long bits = 0;
  if (calls_.reasons && calls_.reasons(device_, &bits) == 0) s.throttle_reasons = bits;
  unsigned milliwatts = 0;
  if (calls_.power && calls_.power(device_, &milliwatts) == 0) s.watts = milliwatts / 1e3;
  std::array<Process, 64> list{};
  unsigned count = list.size();
  if (calls_.processes && calls_.processes(device_, &count, list.data()) == 0)
    for (unsigned k = 0; k < std::min<unsigned>(count, list.size()); k++) s.processes.push_back(list[k].id);
  return s;
}

unsigned Nvml::max_sm_mhz() const {
  unsigned mhz = 0;
  if (calls_.max_clock) calls_.max_clock(device_, kSmClock, &mhz);
  return mhz;
}

std::string Nvml::driver_version() const {
  char text[96] = {};
  return calls_.driver && calls_.driver(text, sizeof text - 1) == 0 ? text : "";
}

}  // namespace kbx::cuda
