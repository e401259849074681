// Nvml: what NVIDIA's management library says of one card; read between measurements, never inside them: its values are
// up to 100 ms old. Optional: without the library there is none of it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kbx::cuda {

struct NvmlSnapshot {
  unsigned sm_mhz = 0, memory_mhz = 0, celsius = 0;
  double watts = 0;
  uint64_t throttle_reasons = 0;       // bits; 0x4 = power cap
  std::vector<unsigned> processes;     // ids of the processes that compute on the card, as the library numbers them
};

class Nvml {
 public:
  // By the PCI bus id that CUDA tells. nullopt: no library, or it does not know the card.
  static std::optional<Nvml> open(const std::string& pci);

  NvmlSnapshot snapshot() const;       // about 30 microseconds; what cannot be read is 0
  unsigned max_sm_mhz() const;
  std::string driver_version() const;  // "580.159.04"; "" = not told

 private:
  using Device = struct nvmlDevice_st*;
  struct Process {  // nvmlProcessInfo_t of the _v2 and _v3 calls
    unsigned id;
    unsigned long long bytes;
    unsigned gpu_instance, compute_instance;
  };
  struct Calls {
    int (*init)() = nullptr;
    int (*driver)(char*, unsigned) = nullptr;
    int (*by_pci)(const char*, Device*) = nullptr;
    int (*clock)(Device, int, unsigned*) = nullptr;
    int (*max_clock)(Device, int, unsigned*) = nullptr;
    int (*reasons)(Device, unsigned long long*) = nullptr;
    int (*temperature)(Device, int, unsigned*) = nullptr;
    int (*power)(Device, unsigned*) = nullptr;
    int (*processes)(Device, unsigned*, Process*) = nullptr;
  };
  Calls calls_;
  Device device_ = nullptr;
};

}  // namespace kbx::cuda
