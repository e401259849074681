// Lookup: the questions that the recorder asks the driver from inside a callback. A fake answers them in tests.
#pragma once
#include <string>
#include <vector>

#include "model/device_tape.h"

namespace kbx::probe {

using Handle = const void*;  // CUfunction, CUkernel, CUmodule, CUlibrary, CUstream, CUevent, CUgraphExec

class Lookup {
 public:
  virtual ~Lookup() = default;
  virtual Handle module_of(Handle function) = 0;  // null: not known
  virtual Handle library_of(Handle kernel) = 0;
  virtual std::string name_of(Handle function) = 0;  // mangled; "": not known
  // "" or why the layout of the parameters is not known.
  virtual std::string parameters_of(Handle function, std::vector<DeviceParameter>& out) = 0;
  virtual bool on_device(uint64_t address) = 0;
  virtual bool blocking(Handle stream) = 0;   // joins the legacy stream
  virtual bool capturing(Handle stream) = 0;  // its calls make a graph, not work
  virtual bool read(uint64_t at, void* to, uint64_t bytes) = 0;
};

}  // namespace kbx::probe
