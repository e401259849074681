// Driver: CUDA's driver API, loaded at run time. Nothing of kbx links against CUDA: a machine without a driver gets an
// Error with code python or sandbox that says so, and every function kbx calls is in the table below.
#pragma once
#include <cuda.h>

#include <string>

#include "base/result.h"

// Types that some headers lack: those of CUDA 12.4 (Triton 3.2's wheel) do not know the first, those of CUDA 13 (Triton
// 3.8's) only a newer form of the second.
#if CUDA_VERSION < 12050
extern "C" CUresult CUDAAPI cuKernelGetLibrary(CUlibrary* library, CUkernel kernel);
#endif
#if CUDA_VERSION >= 13000
#undef cuGraphGetEdges
extern "C" CUresult CUDAAPI cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count);
#endif

namespace kbx::cuda {

// Name in cuda.h (which may be a macro for a versioned symbol) and the symbol it stands for.
#define KBX_CUDA_FUNCTIONS(F)                                        \
  F(cuInit, "cuInit")                                                \
  F(cuDriverGetVersion, "cuDriverGetVersion")                        \
  F(cuGetErrorString, "cuGetErrorString")                            \
  F(cuGetErrorName, "cuGetErrorName")                                \
  F(cuDeviceGet, "cuDeviceGet")                                      \
  F(cuDeviceGetCount, "cuDeviceGetCount")                            \
  F(cuDeviceGetName, "cuDeviceGetName")                              \
  F(cuDeviceGetAttribute, "cuDeviceGetAttribute")                    \
  F(cuDeviceGetUuid, "cuDeviceGetUuid_v2")                           \
  F(cuDeviceGetPCIBusId, "cuDeviceGetPCIBusId")                      \
  F(cuDeviceTotalMem, "cuDeviceTotalMem_v2")                         \
  F(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain")            \
  F(cuCtxSetCurrent, "cuCtxSetCurrent")                              \
  F(cuCtxGetDevice, "cuCtxGetDevice")                                \
  F(cuCtxSynchronize, "cuCtxSynchronize")                            \
  F(cuCtxResetPersistingL2Cache, "cuCtxResetPersistingL2Cache")      \
  F(cuMemGetInfo, "cuMemGetInfo_v2")                                 \
  F(cuMemAlloc, "cuMemAlloc_v2")                                     \
  F(cuMemFree, "cuMemFree_v2")                                       \
  F(cuMemAllocHost, "cuMemAllocHost_v2")                             \
  F(cuMemFreeHost, "cuMemFreeHost")                                  \
  F(cuMemHostAlloc, "cuMemHostAlloc")                                \
  F(cuMemHostGetDevicePointer, "cuMemHostGetDevicePointer_v2")       \
  F(cuMemAddressReserve, "cuMemAddressReserve")                      \
  F(cuMemAddressFree, "cuMemAddressFree")                            \
  F(cuMemCreate, "cuMemCreate")                                      \
  F(cuMemRelease, "cuMemRelease")                                    \
  F(cuMemMap, "cuMemMap")                                            \
  F(cuMemUnmap, "cuMemUnmap")                                        \
  F(cuMemSetAccess, "cuMemSetAccess")                                \
  F(cuMemcpyHtoD, "cuMemcpyHtoD_v2")                                 \
  F(cuMemcpyDtoH, "cuMemcpyDtoH_v2")                                 \
  F(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2")                       \
  F(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2")                       \
  F(cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2")                       \
  F(cuMemcpy2DAsync, "cuMemcpy2DAsync_v2")                           \
  F(cuMemsetD8Async, "cuMemsetD8Async")                              \
  F(cuMemsetD16Async, "cuMemsetD16Async")                            \
  F(cuMemsetD32Async, "cuMemsetD32Async")                            \
  F(cuMemsetD2D8Async, "cuMemsetD2D8Async")                          \
  F(cuMemsetD2D16Async, "cuMemsetD2D16Async")                        \
  F(cuMemsetD2D32Async, "cuMemsetD2D32Async")                        \
  F(cuPointerGetAttribute, "cuPointerGetAttribute")                  \
  F(cuModuleLoadData, "cuModuleLoadData")                            \
  F(cuModuleUnload, "cuModuleUnload")                                \
  F(cuModuleGetFunction, "cuModuleGetFunction")                      \
  F(cuModuleGetGlobal, "cuModuleGetGlobal_v2")                       \
  F(cuFuncSetAttribute, "cuFuncSetAttribute")                        \
  F(cuFuncGetAttribute, "cuFuncGetAttribute")                        \
  F(cuFuncSetCacheConfig, "cuFuncSetCacheConfig")                    \
  F(cuFuncGetModule, "cuFuncGetModule")                              \
  F(cuFuncGetName, "cuFuncGetName")                                  \
  F(cuFuncGetParamInfo, "cuFuncGetParamInfo")                        \
  F(cuKernelGetParamInfo, "cuKernelGetParamInfo")                    \
  F(cuKernelGetLibrary, "cuKernelGetLibrary")                        \
  F(cuStreamCreate, "cuStreamCreate")                                \
  F(cuStreamDestroy, "cuStreamDestroy_v2")                           \
  F(cuStreamSynchronize, "cuStreamSynchronize")                      \
  F(cuStreamQuery, "cuStreamQuery")                                  \
  F(cuStreamWaitEvent, "cuStreamWaitEvent")                          \
  F(cuStreamBeginCapture, "cuStreamBeginCapture_v2")                 \
  F(cuStreamEndCapture, "cuStreamEndCapture")                        \
  F(cuEventCreate, "cuEventCreate")                                  \
  F(cuEventDestroy, "cuEventDestroy_v2")                             \
  F(cuEventRecord, "cuEventRecord")                                  \
  F(cuEventSynchronize, "cuEventSynchronize")                        \
  F(cuEventQuery, "cuEventQuery")                                    \
  F(cuEventElapsedTime, "cuEventElapsedTime")                        \
  F(cuGraphInstantiate, "cuGraphInstantiateWithFlags")               \
  F(cuGraphUpload, "cuGraphUpload")                                  \
  F(cuGraphLaunch, "cuGraphLaunch")                                  \
  F(cuGraphDestroy, "cuGraphDestroy")                                \
  F(cuGraphExecDestroy, "cuGraphExecDestroy")                        \
  F(cuGraphGetNodes, "cuGraphGetNodes")                              \
  F(cuGraphGetEdges, "cuGraphGetEdges")                              \
  F(cuGraphNodeGetType, "cuGraphNodeGetType")                        \
  F(cuGraphKernelNodeGetParams, "cuGraphKernelNodeGetParams_v2")     \
  F(cuGraphMemsetNodeGetParams, "cuGraphMemsetNodeGetParams")        \
  F(cuGraphMemcpyNodeGetParams, "cuGraphMemcpyNodeGetParams")        \
  F(cuGraphKernelNodeGetAttribute, "cuGraphKernelNodeGetAttribute")  \
  F(cuGraphChildGraphNodeGetGraph, "cuGraphChildGraphNodeGetGraph")  \
  F(cuStreamGetFlags, "cuStreamGetFlags")                            \
  F(cuStreamIsCapturing, "cuStreamIsCapturing")                      \
  F(cuThreadExchangeStreamCaptureMode, "cuThreadExchangeStreamCaptureMode") \
  F(cuLaunchKernel, "cuLaunchKernel")                                \
  F(cuLaunchKernelEx, "cuLaunchKernelEx")

struct Driver {
#define KBX_CUDA_POINTER(name, symbol) decltype(&::name) name = nullptr;
  KBX_CUDA_FUNCTIONS(KBX_CUDA_POINTER)
#undef KBX_CUDA_POINTER

  // "cuMemMap: an illegal memory access was encountered (CUDA error 700)".
  std::string error_text(const char* call, CUresult code) const;
};

// libcuda.so.1, or the library that KBX_LIBCUDA names (tests inject faults with it). Functions that the driver does not
// have stay null when they are newer than CUDA 12.0: check cuKernelGetParamInfo and its like before a call.
Result<Driver> load_driver();

}  // namespace kbx::cuda
