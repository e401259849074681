// Handles, memory and graphs: what is followed from the first load on.
#include "probe/adapter.h"

#include <cstring>

#include "probe/cases.h"

namespace kbx::probe {

#define ID(name) CUPTI_DRIVER_TRACE_CBID_##name
const std::vector<CUpti_CallbackId>& always_wanted() {
  static const std::vector<CUpti_CallbackId> ids = {
      ID(cuModuleLoad), ID(cuModuleLoadData), ID(cuModuleLoadDataEx), ID(cuModuleLoadFatBinary), ID(cuLibraryLoadData), ID(cuLibraryLoadFromFile),
      ID(cuModuleUnload), ID(cuLibraryUnload), ID(cuModuleGetFunction), ID(cuLibraryGetKernel), ID(cuKernelGetFunction), ID(cuLibraryGetModule),
      ID(cuFuncSetAttribute), ID(cuKernelSetAttribute), ID(cuFuncSetCacheConfig), ID(cuKernelSetCacheConfig),
      ID(cuMemAlloc_v2), ID(cuMemFree_v2), ID(cuMemAllocPitch_v2), ID(cuMemAllocManaged), ID(cuMemAllocAsync), ID(cuMemAllocAsync_ptsz),
      ID(cuMemAllocFromPoolAsync), ID(cuMemAllocFromPoolAsync_ptsz), ID(cuMemFreeAsync), ID(cuMemFreeAsync_ptsz),
      ID(cuGraphInstantiate), ID(cuGraphInstantiate_v2), ID(cuGraphInstantiateWithFlags), ID(cuGraphInstantiateWithParams),
      ID(cuGraphInstantiateWithParams_ptsz), ID(cuGraphExecDestroy), ID(cuGraphExecUpdate), ID(cuGraphExecUpdate_v2),
      ID(cuGraphExecKernelNodeSetParams), ID(cuGraphExecKernelNodeSetParams_v2), ID(cuGraphExecMemcpyNodeSetParams),
      ID(cuGraphExecMemsetNodeSetParams), ID(cuGraphExecChildGraphNodeSetParams), ID(cuGraphExecNodeSetParams), ID(cuGraphNodeSetEnabled)};
  return ids;
}
#undef ID

bool Adapter::loads(const DriverCall& call) {
  using Via = DeviceImage::Via;
  Handles& h = recorder_.handles();
  switch (call.id) {
    KBX_CALL(cuModuleLoadData) h.module_loaded(*p.module, p.image, Via::module_data); KBX_END
    KBX_CALL(cuModuleLoadDataEx) h.module_loaded(*p.module, p.image, Via::module_data_ex); KBX_END
    KBX_CALL(cuModuleLoadFatBinary) h.module_loaded(*p.module, p.fatCubin, Via::fat_binary); KBX_END
    KBX_CALL(cuModuleLoad) h.module_from_file(*p.module, p.fname); KBX_END
    KBX_CALL(cuLibraryLoadData) h.library_loaded(*p.library, p.code); KBX_END
    KBX_CALL(cuLibraryLoadFromFile) h.library_from_file(*p.library, p.fileName); KBX_END
    KBX_CALL(cuModuleUnload) h.module_unloaded(p.hmod); KBX_END
    KBX_CALL(cuLibraryUnload) h.library_unloaded(p.library); KBX_END
  }
  return false;
}

bool Adapter::names(const DriverCall& call) {
  Handles& h = recorder_.handles();
  switch (call.id) {
    KBX_CALL(cuModuleGetFunction) h.function_named(*p.hfunc, p.hmod, p.name); KBX_END
    KBX_CALL(cuLibraryGetKernel) h.kernel_named(*p.pKernel, p.library, p.name); KBX_END
    KBX_CALL(cuKernelGetFunction) h.function_of_kernel(*p.pFunc, p.kernel); KBX_END
    KBX_CALL(cuLibraryGetModule) h.module_of_library(*p.pMod, p.library); KBX_END
    KBX_CALL(cuFuncSetAttribute) h.attribute_set(p.hfunc, p.attrib, p.value); KBX_END
    KBX_CALL(cuKernelSetAttribute) h.attribute_set(p.kernel, p.attrib, p.val); KBX_END
    KBX_CALL(cuFuncSetCacheConfig) h.cache_config_set(p.hfunc, p.config); KBX_END
    KBX_CALL(cuKernelSetCacheConfig) h.cache_config_set(p.kernel, p.config); KBX_END
  }
  return false;
}

bool Adapter::memory(const DriverCall& call) {
  Handle implicit = nullptr;
  switch (call.id) {
    KBX_CALL(cuMemAlloc_v2) recorder_.foreign_memory(*p.dptr, p.bytesize); KBX_END
    KBX_CALL(cuMemAllocManaged) recorder_.foreign_memory(*p.dptr, p.bytesize); KBX_END
    KBX_CALL(cuMemAllocPitch_v2) recorder_.foreign_memory(*p.dptr, *p.pPitch * p.Height); KBX_END
    KBX_BOTH(cuMemAllocAsync, _ptsz) recorder_.foreign_memory(*p.dptr, p.bytesize); KBX_END
    KBX_BOTH(cuMemAllocFromPoolAsync, _ptsz) recorder_.foreign_memory(*p.dptr, p.bytesize); KBX_END
    KBX_CALL(cuMemFree_v2) recorder_.foreign_freed(p.dptr); KBX_END
    KBX_BOTH(cuMemFreeAsync, _ptsz) recorder_.foreign_freed(p.dptr); KBX_END
  }
  (void)implicit;
  return false;
}

bool Adapter::graphs(const DriverCall& call) {
  Handle implicit = nullptr;
  switch (call.id) {
    KBX_CALL(cuGraphInstantiate) graphs_[*p.phGraphExec] = read_graph(driver_, recorder_, p.hGraph); KBX_END
    KBX_CALL(cuGraphInstantiate_v2) graphs_[*p.phGraphExec] = read_graph(driver_, recorder_, p.hGraph); KBX_END
    KBX_CALL(cuGraphInstantiateWithFlags) graphs_[*p.phGraphExec] = read_graph(driver_, recorder_, p.hGraph); KBX_END
    KBX_BOTH(cuGraphInstantiateWithParams, _ptsz) graphs_[*p.phGraphExec] = read_graph(driver_, recorder_, p.hGraph); KBX_END
    KBX_CALL(cuGraphExecUpdate) graphs_[p.hGraphExec] = read_graph(driver_, recorder_, p.hGraph); KBX_END
    KBX_CALL(cuGraphExecUpdate_v2) graphs_[p.hGraphExec] = read_graph(driver_, recorder_, p.hGraph); KBX_END
    KBX_CALL(cuGraphExecDestroy) graphs_.erase(p.hGraphExec); KBX_END
    KBX_CALL(cuGraphExecKernelNodeSetParams) changed_graph(p.hGraphExec); KBX_END
    KBX_CALL(cuGraphExecKernelNodeSetParams_v2) changed_graph(p.hGraphExec); KBX_END
    KBX_CALL(cuGraphExecMemcpyNodeSetParams) changed_graph(p.hGraphExec); KBX_END
    KBX_CALL(cuGraphExecMemsetNodeSetParams) changed_graph(p.hGraphExec); KBX_END
    KBX_CALL(cuGraphExecChildGraphNodeSetParams) changed_graph(p.hGraphExec); KBX_END
    KBX_CALL(cuGraphExecNodeSetParams) changed_graph(p.hGraphExec); KBX_END
    KBX_CALL(cuGraphNodeSetEnabled) changed_graph(p.hGraphExec); KBX_END
  }
  (void)implicit;
  return false;
}

// What the host has waited for comes before all that it gives out afterwards, on whatever stream.
bool Adapter::waits(const DriverCall& call) {
  Handle implicit = kLegacyStream;
  Streams& s = recorder_.streams();
  switch (call.id) {
    KBX_BOTH(cuStreamSynchronize, _ptsz) s.host_waited_for_stream(named(p.hStream, implicit)); KBX_END
    KBX_BOTH(cuStreamQuery, _ptsz) s.host_waited_for_stream(named(p.hStream, implicit)); KBX_END
    KBX_CALL(cuEventSynchronize) s.host_waited_for_event(p.hEvent); KBX_END
    KBX_CALL(cuEventQuery) s.host_waited_for_event(p.hEvent); KBX_END
    KBX_CALL(cuEventDestroy_v2) s.forget_event(p.hEvent); KBX_END
  }
  // By name: CUDA 13 has a second form, which older headers have no number for.
  if (std::strncmp(call.function, "cuCtxSynchronize", 16) != 0) return false;
  s.host_waited_for_all();
  return true;
}

bool is_trouble(const char* function) {
  auto starts = [&](const char* with) { return std::strncmp(function, with, std::strlen(with)) == 0; };
  if (starts("cuMemAllocHost")) return false;
  for (const char* with : {"cuLaunch", "cuMemcpy", "cuMemset", "cuMemAlloc", "cuMemCreate", "cuMemMap", "cuMemUnmap", "cuMemSetAccess", "cuMemPrefetch", "cuMemDiscard",
                           "cuStreamWriteValue", "cuStreamWaitValue", "cuStreamBatchMemOp", "cuStreamAddCallback", "cuTexObjectCreate", "cuSurfObjectCreate",
                           "cuArrayCreate", "cuMipmappedArray", "cuMulticast", "cuIpc", "cuImport", "cuSignalExternal", "cuWaitExternal", "cuCtxCreate", "cuGreenCtx",
                           "cuGraphicsMap"})
    if (starts(with)) return true;
  return false;
}

void Adapter::take(const DriverCall& call) {
  if (!call.enters) {
    if (call.result != CUDA_SUCCESS) return;
    loads(call) || names(call) || memory(call) || graphs(call) || (recorder_.recording() && waits(call));
    return;
  }
  if (!recorder_.recording()) return;
  recorder_.called(call.function);
  if (launches(call) || fills(call) || copies(call) || copies_2d(call) || events(call)) return;
  if (is_trouble(call.function)) recorder_.trouble(call.function);
}

}  // namespace kbx::probe
