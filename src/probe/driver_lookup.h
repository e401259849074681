// DriverLookup and DriverMemory: the recorder's questions and the arena's needs, answered by the CUDA driver.
#pragma once
#include "cuda/driver.h"
#include "probe/arena.h"
#include "probe/lookup.h"

namespace kbx::probe {

class DriverLookup : public Lookup {
 public:
  explicit DriverLookup(const cuda::Driver& driver) : driver_(driver) {}
  Handle module_of(Handle function) override;
  Handle library_of(Handle kernel) override;
  std::string name_of(Handle function) override;
  std::string parameters_of(Handle function, std::vector<DeviceParameter>& out) override;
  bool on_device(uint64_t address) override;
  bool blocking(Handle stream) override;
  bool capturing(Handle stream) override;
  bool read(uint64_t at, void* to, uint64_t bytes) override;

 private:
  const cuda::Driver& driver_;
};

// On the device of the thread's context. A capture that is under way does not forbid it.
class DriverMemory : public Memory {
 public:
  explicit DriverMemory(const cuda::Driver& driver) : driver_(driver) {}
  std::string reserve(uint64_t base, uint64_t bytes) override;
  std::string map(uint64_t at, uint64_t bytes) override;
  void unmap(uint64_t at, uint64_t bytes) override;

 private:
  std::string current_device(CUdevice& device);
  const cuda::Driver& driver_;
};

}  // namespace kbx::probe
