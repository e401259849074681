// Memory: files mapped at the addresses that are asked for.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "fake.h"

namespace {

std::map<std::string, long> read_settings() {
  std::map<std::string, long> out;
  const char* text = std::getenv("KBX_FAKE");
  for (std::string rest = text ? text : ""; !rest.empty();) {
    size_t comma = rest.find(','), equals = rest.find('=');
    if (equals != rest.npos) out[rest.substr(0, equals)] = std::atol(rest.c_str() + equals + 1);
    rest = comma == rest.npos ? "" : rest.substr(comma + 1);
  }
  return out;
}
void* at(CUdeviceptr p) { return reinterpret_cast<void*>(p); }
constexpr uint64_t kArenas = 0x500000000000;

}  // namespace

Fake& fake() {
  static Fake state{read_settings()};
  return state;
}

CUresult cuMemAddressReserve(CUdeviceptr* ptr, size_t size, size_t, CUdeviceptr addr, unsigned long long) {
  if (fake().setting("address") && addr >= kArenas) addr = 0;
  void* got = mmap(at(addr), size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (addr ? MAP_FIXED_NOREPLACE : 0), -1, 0);
  if (got == MAP_FAILED) got = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  *ptr = reinterpret_cast<CUdeviceptr>(got);
  return got == MAP_FAILED ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}
CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size) { return munmap(at(ptr), size) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; }
CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size, const CUmemAllocationProp*, unsigned long long) {
  if (long limit = fake().setting("memory"); limit && ++fake().creations >= limit) return CUDA_ERROR_OUT_OF_MEMORY;
  int fd = memfd_create("fake", 0);
  if (fd < 0 || ftruncate(fd, off_t(size)) != 0) return CUDA_ERROR_OUT_OF_MEMORY;
  *handle = fake().next_handle++;
  fake().files[*handle] = fd;
  return CUDA_SUCCESS;
}
CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  close(fake().files[handle]);
  return fake().files.erase(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t, CUmemGenericAllocationHandle handle, unsigned long long) {
  void* got = mmap(at(ptr), size, PROT_NONE, MAP_SHARED | MAP_FIXED, fake().files.at(handle), 0);
  return got == MAP_FAILED ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
CUresult cuMemUnmap(CUdeviceptr ptr, size_t size) {
  void* got = mmap(at(ptr), size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  return got == MAP_FAILED ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc*, size_t) {
  return mprotect(at(ptr), size, PROT_READ | PROT_WRITE) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
CUresult cuMemGetInfo(size_t* free_bytes, size_t* total) {
  *total = size_t(8) << 30;
  *free_bytes = fake().setting("free") ? size_t(fake().setting("free")) : size_t(1) << 30;
  return CUDA_SUCCESS;
}
CUresult cuMemHostAlloc(void** p, size_t size, unsigned) { return (*p = std::malloc(size)) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY; }
CUresult cuMemAllocHost(void** p, size_t size) { return cuMemHostAlloc(p, size, 0); }
CUresult cuMemFreeHost(void* p) {
  std::free(p);
  return CUDA_SUCCESS;
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* to, void* p, unsigned) {
  *to = reinterpret_cast<CUdeviceptr>(p);
  return CUDA_SUCCESS;
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t n, CUstream) { return enqueue([=] { std::memcpy(at(to), from, n); }); }
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t n, CUstream) { return enqueue([=] { std::memcpy(to, at(from), n); }); }
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream) { return enqueue([=] { std::memmove(at(to), at(from), n); }); }
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* c, CUstream) {
  CUDA_MEMCPY2D m = *c;
  if (m.dstPitch < m.WidthInBytes || m.srcPitch < m.WidthInBytes) return CUDA_ERROR_INVALID_VALUE;
  return enqueue([=] {
    auto to = m.dstMemoryType == CU_MEMORYTYPE_HOST ? static_cast<char*>(m.dstHost) : static_cast<char*>(at(m.dstDevice));
    auto from = m.srcMemoryType == CU_MEMORYTYPE_HOST ? static_cast<const char*>(m.srcHost) : static_cast<const char*>(at(m.srcDevice));
    for (size_t r = 0; r < m.Height; r++) std::memcpy(to + r * m.dstPitch, from + r * m.srcPitch, m.WidthInBytes);
  });
}
namespace {
template <class T>
CUresult fill(CUdeviceptr p, size_t pitch, T v, size_t columns, size_t rows) {
  return enqueue([=] {
    for (size_t r = 0; r < rows; r++) std::fill_n(static_cast<T*>(at(p + r * pitch)), columns, v);
  });
}
}  // namespace
CUresult cuMemsetD8Async(CUdeviceptr p, unsigned char v, size_t n, CUstream) { return fill(p, 0, v, n, 1); }
CUresult cuMemsetD16Async(CUdeviceptr p, unsigned short v, size_t n, CUstream) { return fill(p, 0, v, n, 1); }
CUresult cuMemsetD32Async(CUdeviceptr p, unsigned v, size_t n, CUstream) { return fill(p, 0, v, n, 1); }
CUresult cuMemsetD2D8Async(CUdeviceptr p, size_t pitch, unsigned char v, size_t w, size_t h, CUstream) { return fill(p, pitch, v, w, h); }
CUresult cuMemsetD2D16Async(CUdeviceptr p, size_t pitch, unsigned short v, size_t w, size_t h, CUstream) { return fill(p, pitch, v, w, h); }
CUresult cuMemsetD2D32Async(CUdeviceptr p, size_t pitch, unsigned v, size_t w, size_t h, CUstream) { return fill(p, pitch, v, w, h); }
