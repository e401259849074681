// Launches, fills, copies and events of a run that is recorded.
#include <cstring>

#include <fmt/format.h>

#include "probe/adapter.h"
#include "probe/cases.h"

namespace kbx::probe {
namespace {

template <class P>
LaunchCall launch_of(const P& p, const DriverCall& call, Handle implicit) {
  LaunchCall out;
  out.function = p.f;
  out.symbol = call.symbol ? call.symbol : "";
  out.grid = {p.gridDimX, p.gridDimY, p.gridDimZ};
  out.block = {p.blockDimX, p.blockDimY, p.blockDimZ};
  out.shared = p.sharedMemBytes;
  out.stream = named(p.hStream, implicit);
  out.values = p.kernelParams;
  return out;
}

CopyCall flat(uint64_t to, uint64_t from, uint64_t bytes, Handle stream) {
  CopyCall out;
  out.to = to, out.from = from, out.columns = bytes, out.stream = stream;
  return out;
}

}  // namespace

bool Adapter::launches(const DriverCall& call) {
  Handle implicit = kLegacyStream;
  switch (call.id) {
    KBX_BOTH(cuLaunchKernel, _ptsz)
      LaunchCall l = launch_of(p, call, implicit);
      l.extra = p.extra;
      recorder_.launch(l);
    KBX_END
    KBX_BOTH(cuLaunchCooperativeKernel, _ptsz)
      LaunchCall l = launch_of(p, call, implicit);
      l.cooperative = true;
      recorder_.launch(l);
    KBX_END
    KBX_BOTH(cuLaunchKernelEx, _ptsz)
      const CUlaunchConfig& c = *p.config;
      LaunchCall l;
      l.function = p.f;
      l.symbol = call.symbol ? call.symbol : "";
      l.grid = {c.gridDimX, c.gridDimY, c.gridDimZ};
      l.block = {c.blockDimX, c.blockDimY, c.blockDimZ};
      l.shared = c.sharedMemBytes;
      l.stream = named(c.hStream, implicit);
      l.values = p.kernelParams;
      l.extra = p.extra;
      auto from = reinterpret_cast<const std::byte*>(c.attrs);
      if (c.attrs) l.attributes.assign(from, from + c.numAttrs * sizeof(CUlaunchAttribute));
      recorder_.launch(l);
    KBX_END
    KBX_BOTH(cuGraphLaunch, _ptsz)
      auto found = graphs_.find(p.hGraph);
      if (found == graphs_.end()) recorder_.trouble("cuGraphLaunch: its making was not seen");
      else if (!found->second.trouble.empty()) recorder_.trouble("cuGraphLaunch: " + found->second.trouble);
      else recorder_.play(found->second.calls, named(p.hStream, implicit));
    KBX_END
  }
  return false;
}

bool Adapter::fills(const DriverCall& call) {
  Handle implicit = kLegacyStream;
  auto flat_fill = [&](uint64_t at, uint32_t width, uint32_t value, uint64_t count, Handle stream) {
    recorder_.fill({at, width, value, 0, count, 1, named(stream, implicit)});
  };
  auto fill_2d = [&](const auto& p, uint32_t width, uint32_t value, Handle stream) {
    recorder_.fill({p.dstDevice, width, value, p.dstPitch, p.Width, p.Height, named(stream, implicit)});
  };
  switch (call.id) {
    KBX_BOTH(cuMemsetD8_v2, _ptds) flat_fill(p.dstDevice, 1, p.uc, p.N, nullptr); KBX_END
    KBX_BOTH(cuMemsetD16_v2, _ptds) flat_fill(p.dstDevice, 2, p.us, p.N, nullptr); KBX_END
    KBX_BOTH(cuMemsetD32_v2, _ptds) flat_fill(p.dstDevice, 4, p.ui, p.N, nullptr); KBX_END
    KBX_BOTH(cuMemsetD8Async, _ptsz) flat_fill(p.dstDevice, 1, p.uc, p.N, p.hStream); KBX_END
    KBX_BOTH(cuMemsetD16Async, _ptsz) flat_fill(p.dstDevice, 2, p.us, p.N, p.hStream); KBX_END
    KBX_BOTH(cuMemsetD32Async, _ptsz) flat_fill(p.dstDevice, 4, p.ui, p.N, p.hStream); KBX_END
    KBX_BOTH(cuMemsetD2D8_v2, _ptds) fill_2d(p, 1, p.uc, nullptr); KBX_END
    KBX_BOTH(cuMemsetD2D16_v2, _ptds) fill_2d(p, 2, p.us, nullptr); KBX_END
    KBX_BOTH(cuMemsetD2D32_v2, _ptds) fill_2d(p, 4, p.ui, nullptr); KBX_END
    KBX_BOTH(cuMemsetD2D8Async, _ptsz) fill_2d(p, 1, p.uc, p.hStream); KBX_END
    KBX_BOTH(cuMemsetD2D16Async, _ptsz) fill_2d(p, 2, p.us, p.hStream); KBX_END
    KBX_BOTH(cuMemsetD2D32Async, _ptsz) fill_2d(p, 4, p.ui, p.hStream); KBX_END
  }
  return false;
}

bool Adapter::copies(const DriverCall& call) {
  using Side = CopyCall::Side;
  Handle implicit = kLegacyStream;
  auto copy = [&](CopyCall c, Side to, Side from, bool waits) {
    c.stream = named(c.stream, implicit);
    c.to_side = to, c.from_side = from, c.waits = waits;
    recorder_.copy(c);
  };
  auto host = [](const void* at) { return uint64_t(at); };
  switch (call.id) {
    KBX_BOTH(cuMemcpyHtoD_v2, _ptds) copy(flat(p.dstDevice, host(p.srcHost), p.ByteCount, nullptr), Side::device, Side::host, true); KBX_END
    KBX_BOTH(cuMemcpyDtoH_v2, _ptds) copy(flat(host(p.dstHost), p.srcDevice, p.ByteCount, nullptr), Side::host, Side::device, true); KBX_END
    KBX_BOTH(cuMemcpyDtoD_v2, _ptds) copy(flat(p.dstDevice, p.srcDevice, p.ByteCount, nullptr), Side::device, Side::device, false); KBX_END
    KBX_BOTH(cuMemcpy, _ptds) copy(flat(p.dst, p.src, p.ByteCount, nullptr), Side::unknown, Side::unknown, true); KBX_END
    KBX_BOTH(cuMemcpyHtoDAsync_v2, _ptsz) copy(flat(p.dstDevice, host(p.srcHost), p.ByteCount, p.hStream), Side::device, Side::host, false); KBX_END
    KBX_BOTH(cuMemcpyDtoHAsync_v2, _ptsz) copy(flat(host(p.dstHost), p.srcDevice, p.ByteCount, p.hStream), Side::host, Side::device, false); KBX_END
    KBX_BOTH(cuMemcpyDtoDAsync_v2, _ptsz) copy(flat(p.dstDevice, p.srcDevice, p.ByteCount, p.hStream), Side::device, Side::device, false); KBX_END
    KBX_BOTH(cuMemcpyAsync, _ptsz) copy(flat(p.dst, p.src, p.ByteCount, p.hStream), Side::unknown, Side::unknown, false); KBX_END
  }
  return false;
}

bool Adapter::copies_2d(const DriverCall& call) {
  Handle implicit = kLegacyStream;
  auto copy = [&](const CUDA_MEMCPY2D& c, Handle stream, bool waits) {
    CUDA_MEMCPY3D whole{};
    whole.srcXInBytes = c.srcXInBytes, whole.srcY = c.srcY, whole.srcMemoryType = c.srcMemoryType, whole.srcHost = c.srcHost;
    whole.srcDevice = c.srcDevice, whole.srcPitch = c.srcPitch ? c.srcPitch : c.WidthInBytes;
    whole.dstXInBytes = c.dstXInBytes, whole.dstY = c.dstY, whole.dstMemoryType = c.dstMemoryType, whole.dstHost = c.dstHost;
    whole.dstDevice = c.dstDevice, whole.dstPitch = c.dstPitch ? c.dstPitch : c.WidthInBytes;
    whole.WidthInBytes = c.WidthInBytes, whole.Height = c.Height, whole.Depth = 1;
    std::string why;
    CopyCall out = copy_of(whole, why);
    if (!why.empty()) return recorder_.trouble(fmt::format("{}: {}", call.function, why));
    out.stream = named(stream, implicit), out.waits = waits;
    recorder_.copy(out);
  };
  switch (call.id) {
    KBX_BOTH(cuMemcpy2D_v2, _ptds) copy(*p.pCopy, nullptr, true); KBX_END
    KBX_BOTH(cuMemcpy2DUnaligned_v2, _ptds) copy(*p.pCopy, nullptr, true); KBX_END
    KBX_BOTH(cuMemcpy2DAsync_v2, _ptsz) copy(*p.pCopy, p.hStream, false); KBX_END
  }
  return false;
}

bool Adapter::events(const DriverCall& call) {
  Handle implicit = kLegacyStream;
  Streams& s = recorder_.streams();
  switch (call.id) {
    KBX_BOTH(cuEventRecord, _ptsz)
      Handle stream = named(p.hStream, implicit);
      if (!recorder_.capturing(stream)) s.record(p.hEvent, stream);
    KBX_END
    KBX_BOTH(cuEventRecordWithFlags, _ptsz)
      Handle stream = named(p.hStream, implicit);
      if (!recorder_.capturing(stream)) s.record(p.hEvent, stream);
    KBX_END
    KBX_BOTH(cuStreamWaitEvent, _ptsz)
      Handle stream = named(p.hStream, implicit);
      if (!recorder_.capturing(stream)) s.wait(stream, p.hEvent);
    KBX_END
    case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture:
    case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph:
    case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz:
      recorder_.capture_begun();
      return true;
  }
  return false;
}

}  // namespace kbx::probe
