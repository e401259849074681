#include "cuda/driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

namespace kbx::cuda {
namespace {

// Newer than CUDA 12.0: absent in drivers that are old and still fine.
bool may_be_absent(const char* symbol) {
  for (const char* newer : {"cuFuncGetParamInfo", "cuFuncGetName", "cuKernelGetParamInfo", "cuKernelGetLibrary", "cuDeviceGetUuid_v2"})
    if (std::strcmp(symbol, newer) == 0) return true;
  return false;
}

}  // namespace

std::string Driver::error_text(const char* call, CUresult code) const {
  const char* words = nullptr;
  if (!cuGetErrorString || cuGetErrorString(code, &words) != CUDA_SUCCESS || !words) words = "unknown error";
  return fmt::format("{}: {} (CUDA error {})", call, words, int(code));
}

Result<Driver> load_driver() {
  const char* named = std::getenv("KBX_LIBCUDA");
  const char* name = named && *named ? named : "libcuda.so.1";
  void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) return fail(Code::sandbox, fmt::format("there is no CUDA driver on this machine: {}", dlerror()));
  Driver driver;
  std::string missing;
#define KBX_CUDA_LOAD(function, symbol)                                                                   \
  driver.function = reinterpret_cast<decltype(driver.function)>(dlsym(library, symbol));                   \
  if (!driver.function && !may_be_absent(symbol)) missing = symbol;
  KBX_CUDA_FUNCTIONS(KBX_CUDA_LOAD)
#undef KBX_CUDA_LOAD
  if (!missing.empty()) return fail(Code::sandbox, fmt::format("the CUDA driver has no {}: kbx needs driver 525 (CUDA 12.0) or newer", missing));
  return driver;
}

}  // namespace kbx::cuda
