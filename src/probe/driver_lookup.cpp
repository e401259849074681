// What the CUDA driver answers. Called from inside its own callbacks, which it allows for the calls made here.
#include "probe/driver_lookup.h"

#include <fmt/format.h>

namespace kbx::probe {
namespace {

template <class T>
T as(Handle handle) {
  return reinterpret_cast<T>(const_cast<void*>(handle));
}

}  // namespace

Handle DriverLookup::module_of(Handle function) {
  CUmodule module = nullptr;
  return driver_.cuFuncGetModule(&module, as<CUfunction>(function)) == CUDA_SUCCESS ? module : nullptr;
}

Handle DriverLookup::library_of(Handle kernel) {
  CUlibrary library = nullptr;
  if (!driver_.cuKernelGetLibrary) return nullptr;
  return driver_.cuKernelGetLibrary(&library, as<CUkernel>(kernel)) == CUDA_SUCCESS ? library : nullptr;
}

std::string DriverLookup::name_of(Handle function) {
  const char* name = nullptr;
  if (!driver_.cuFuncGetName || driver_.cuFuncGetName(&name, as<CUfunction>(function)) != CUDA_SUCCESS || !name)
    return "";
  return name;
}

// A kernel cast to a function answers to one of the two, which one depends on the driver.
std::string DriverLookup::parameters_of(Handle function, std::vector<DeviceParameter>& out) {
  if (!driver_.cuFuncGetParamInfo || !driver_.cuKernelGetParamInfo)
    return "this driver does not tell how parameters are laid out: recording needs driver 550 (CUDA 12.4) or newer";
  out.clear();
  for (size_t k = 0; k < 4096; k++) {
    size_t offset = 0, size = 0;
    if (driver_.cuFuncGetParamInfo(as<CUfunction>(function), k, &offset, &size) != CUDA_SUCCESS &&
        driver_.cuKernelGetParamInfo(as<CUkernel>(function), k, &offset, &size) != CUDA_SUCCESS)
      break;
    out.push_back({uint32_t(offset), uint32_t(size)});
  }
  return "";
}

bool DriverLookup::on_device(uint64_t address) {
  unsigned kind = 0;
  return driver_.cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) == CUDA_SUCCESS &&
         kind == CU_MEMORYTYPE_DEVICE;
}

bool DriverLookup::blocking(Handle stream) {
  unsigned flags = 0;
  return driver_.cuStreamGetFlags(as<CUstream>(stream), &flags) == CUDA_SUCCESS && !(flags & CU_STREAM_NON_BLOCKING);
}

bool DriverLookup::capturing(Handle stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return driver_.cuStreamIsCapturing(as<CUstream>(stream), &status) == CUDA_SUCCESS &&
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

bool DriverLookup::read(uint64_t at, void* to, uint64_t bytes) {
  return driver_.cuMemcpyDtoH(to, at, bytes) == CUDA_SUCCESS;
}

namespace {

class Relaxed {
 public:
  explicit Relaxed(const cuda::Driver& driver) : driver_(driver) { driver_.cuThreadExchangeStreamCaptureMode(&mode_); }
  ~Relaxed() { driver_.cuThreadExchangeStreamCaptureMode(&mode_); }
  Relaxed(const Relaxed&) = delete;

 private:
  const cuda::Driver& driver_;
  CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
};

}  // namespace

// The driver takes the address for a hint: one that is not free, or too small a range, ends elsewhere without an error.
std::string DriverMemory::reserve(uint64_t base, uint64_t bytes) {
  CUdeviceptr got = 0;
  driver_.cuInit(0);
  Relaxed relaxed(driver_);
  CUresult r = driver_.cuMemAddressReserve(&got, bytes, 0, base, 0);
  if (r != CUDA_SUCCESS) return driver_.error_text("cuMemAddressReserve", r);
  if (got == base) return "";
  driver_.cuMemAddressFree(got, bytes);
  return fmt::format("the arena's addresses from {:#x} on are not free", base);
}

// torch may ask for memory before it has made a context; the first visible device is then meant, as torch means it.
std::string DriverMemory::current_device(CUdevice& device) {
  if (driver_.cuCtxGetDevice(&device) == CUDA_SUCCESS) return "";
  CUcontext context = nullptr;
  CUresult r = driver_.cuDeviceGet(&device, 0);
  if (r == CUDA_SUCCESS) r = driver_.cuDevicePrimaryCtxRetain(&context, device);
  if (r == CUDA_SUCCESS) r = driver_.cuCtxSetCurrent(context);
  return r == CUDA_SUCCESS ? "" : driver_.error_text("cuDevicePrimaryCtxRetain", r);
}

std::string DriverMemory::map(uint64_t at, uint64_t bytes) {
  Relaxed relaxed(driver_);
  CUmemAllocationProp prop{};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUdevice device = 0;
  if (std::string why = current_device(device); !why.empty()) return why;
  prop.location.id = device;
  CUmemGenericAllocationHandle handle = 0;
  CUresult r = driver_.cuMemCreate(&handle, bytes, &prop, 0);
  if (r != CUDA_SUCCESS) return driver_.error_text("cuMemCreate", r);
  r = driver_.cuMemMap(at, bytes, 0, handle, 0);
  driver_.cuMemRelease(handle);  // the mapping keeps it
  if (r != CUDA_SUCCESS) return driver_.error_text("cuMemMap", r);
  CUmemAccessDesc access{};
  access.location = prop.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  r = driver_.cuMemSetAccess(at, bytes, &access, 1);
  if (r == CUDA_SUCCESS) return "";
  driver_.cuMemUnmap(at, bytes);
  return driver_.error_text("cuMemSetAccess", r);
}

void DriverMemory::unmap(uint64_t at, uint64_t bytes) {
  Relaxed relaxed(driver_);
  driver_.cuCtxSynchronize();
  driver_.cuMemUnmap(at, bytes);
}

}  // namespace kbx::probe
