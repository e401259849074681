// The card, its streams, events and graphs. Work is done when it is put on a stream; time is a number that it moves.
#include <cstring>

#include "fake.h"

struct CUevent_st {
  double us = 0;
};
struct CUgraph_st : FakeGraph {};
struct CUgraphExec_st : FakeGraph {};

CUresult enqueue(std::function<void()> work) {
  if (fake().sticky) return fake().sticky;
  if (fake().capturing) fake().capturing->work.push_back(std::move(work));
  else work();
  return CUDA_SUCCESS;
}

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int* v) { return *v = 12080, CUDA_SUCCESS; }
CUresult cuGetErrorString(CUresult code, const char** text) {
  *text = code == CUDA_ERROR_ILLEGAL_ADDRESS ? "an illegal memory access was encountered" : code == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "fake error";
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult, const char** text) { return *text = "FAKE", CUDA_SUCCESS; }
CUresult cuDeviceGet(CUdevice* d, int n) { return *d = n, CUDA_SUCCESS; }
CUresult cuDeviceGetCount(int* n) { return *n = 1, CUDA_SUCCESS; }
CUresult cuDeviceGetName(char* to, int size, CUdevice) { return std::strncpy(to, "Fake GPU", size_t(size)), CUDA_SUCCESS; }
CUresult cuDeviceGetPCIBusId(char* to, int size, CUdevice) { return std::strncpy(to, "0000:ff:00.0", size_t(size)), CUDA_SUCCESS; }
CUresult cuDeviceGetUuid_v2(CUuuid* id, CUdevice) {
  for (int k = 0; k < 16; k++) id->bytes[k] = char(k);
  return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(size_t* n, CUdevice) { return *n = size_t(8) << 30, CUDA_SUCCESS; }
CUresult cuDeviceGetAttribute(int* to, CUdevice_attribute which, CUdevice) {
  switch (which) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *to = 9; break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *to = 4; break;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: *to = 1 << 20; break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: *to = 1024; break;
    default: *to = 0;
  }
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* c, CUdevice) { return *c = nullptr, CUDA_SUCCESS; }
CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxGetDevice(CUdevice* d) { return *d = 0, CUDA_SUCCESS; }
CUresult cuCtxSynchronize() { return fake().sticky; }
CUresult cuCtxResetPersistingL2Cache() { return CUDA_SUCCESS; }

CUresult cuStreamCreate(CUstream* s, unsigned) { return *s = reinterpret_cast<CUstream>(new int), CUDA_SUCCESS; }
CUresult cuStreamDestroy(CUstream s) { return delete reinterpret_cast<int*>(s), CUDA_SUCCESS; }
CUresult cuStreamQuery(CUstream) { return fake().sticky ? fake().sticky : fake().hung ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS; }
CUresult cuStreamSynchronize(CUstream s) { return cuStreamQuery(s); }
CUresult cuStreamWaitEvent(CUstream, CUevent, unsigned) { return CUDA_SUCCESS; }
CUresult cuEventCreate(CUevent* e, unsigned) { return *e = new CUevent_st, CUDA_SUCCESS; }
CUresult cuEventDestroy(CUevent e) { return delete e, CUDA_SUCCESS; }
CUresult cuEventRecord(CUevent e, CUstream) {
  if (!fake().capturing) e->us = fake().now_us;
  return fake().sticky;
}
CUresult cuEventQuery(CUevent) { return cuStreamQuery(nullptr); }
CUresult cuEventSynchronize(CUevent) { return cuStreamQuery(nullptr); }
CUresult cuEventElapsedTime(float* ms, CUevent a, CUevent b) { return *ms = float((b->us - a->us + 1.28) * 1e-3), fake().sticky; }

CUresult cuStreamBeginCapture(CUstream, CUstreamCaptureMode) { return fake().capturing = new CUgraph_st, fake().sticky; }
CUresult cuStreamEndCapture(CUstream, CUgraph* g) {
  *g = static_cast<CUgraph_st*>(fake().capturing);
  fake().capturing = nullptr;
  return CUDA_SUCCESS;
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec* e, CUgraph g, unsigned long long) {
  *e = new CUgraphExec_st;
  (*e)->work = g->work;
  return CUDA_SUCCESS;
}
CUresult cuGraphUpload(CUgraphExec, CUstream) { return CUDA_SUCCESS; }
CUresult cuGraphLaunch(CUgraphExec e, CUstream) {
  double start = fake().now_us;
  for (auto& w : e->work) w();
  double spent = fake().now_us - start;
  // Some noise, and a spike now and then.
  fake().noise = fake().noise * 6364136223846793005ull + 1442695040888963407ull;
  fake().now_us += spent * 0.01 * double(fake().noise >> 40) / double(1 << 24);
  if (long every = fake().setting("spike"); every && ++fake().timed % every == 0) fake().now_us += 9 * spent;
  return fake().sticky;
}
CUresult cuGraphDestroy(CUgraph g) { return delete g, CUDA_SUCCESS; }
CUresult cuGraphExecDestroy(CUgraphExec g) { return delete g, CUDA_SUCCESS; }
