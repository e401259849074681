// Playing a program: entry by entry, or as a graph.
#include <array>

#include "clock/program.h"

namespace kbx::clock {

Outcome<void> Program::play(const DeviceLaunch& l, size_t entry) const {
  auto& prepared = const_cast<Launch&>(launches_[entry]);
  CUlaunchConfig config{};
  config.gridDimX = l.grid[0], config.gridDimY = l.grid[1], config.gridDimZ = l.grid[2];
  config.blockDimX = l.block[0], config.blockDimY = l.block[1], config.blockDimZ = l.block[2];
  config.sharedMemBytes = l.shared;
  config.hStream = stream_of(l.stream);
  config.attrs = prepared.attributes.data();
  config.numAttrs = unsigned(prepared.attributes.size());
  // A driver that does not tell a kernel's parameters gets them as one buffer of a stated size, which it checks.
  size_t size = l.parameters.size();
  std::array<void*, 5> buffer{CU_LAUNCH_PARAM_BUFFER_POINTER, const_cast<std::byte*>(l.parameters.data()), CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                              CU_LAUNCH_PARAM_END};
  bool listed = card_->cu.cuFuncGetParamInfo || size == 0;
  CUresult rc = card_->cu.cuLaunchKernelEx(&config, functions_[l.function], listed ? prepared.arguments.data() : nullptr, listed ? nullptr : buffer.data());
  return card_->check(rc, tape_->functions[l.function].name.c_str(), Fault::Kind::launch);
}

Outcome<void> Program::play(const DeviceFill& f, size_t) const {
  const cuda::Driver& cu = card_->cu;
  CUstream s = stream_of(f.stream);
  if (f.columns == 0 || f.rows == 0) return {};
  CUresult rc = CUDA_SUCCESS;
  if (f.rows > 1) {
    rc = f.width == 1   ? cu.cuMemsetD2D8Async(f.at, f.pitch, static_cast<unsigned char>(f.value), f.columns, f.rows, s)
         : f.width == 2 ? cu.cuMemsetD2D16Async(f.at, f.pitch, static_cast<unsigned short>(f.value), f.columns, f.rows, s)
                        : cu.cuMemsetD2D32Async(f.at, f.pitch, f.value, f.columns, f.rows, s);
  } else {
    rc = f.width == 1   ? cu.cuMemsetD8Async(f.at, static_cast<unsigned char>(f.value), f.columns, s)
         : f.width == 2 ? cu.cuMemsetD16Async(f.at, static_cast<unsigned short>(f.value), f.columns, s)
                        : cu.cuMemsetD32Async(f.at, f.value, f.columns, s);
  }
  return card_->check(rc, "a fill", Fault::Kind::launch);
}

Outcome<void> Program::play(const DeviceCopy& c, size_t entry) const {
  const cuda::Driver& cu = card_->cu;
  CUstream s = stream_of(c.stream);
  if (c.columns == 0 || c.rows == 0 || payload_[entry] == UINT64_MAX) return {};
  std::byte* host = host_.data() ? host_.data() + payload_[entry] : nullptr;
  bool from_host = c.kind == DeviceCopy::Kind::to_device, to_host = c.kind == DeviceCopy::Kind::to_host;
  if (c.rows == 1) {
    CUresult rc = from_host ? cu.cuMemcpyHtoDAsync(c.to, host, c.columns, s)
                  : to_host ? cu.cuMemcpyDtoHAsync(host, c.from, c.columns, s)
                            : cu.cuMemcpyDtoDAsync(c.to, c.from, c.columns, s);
    return card_->check(rc, "a copy", Fault::Kind::launch);
  }
  CUDA_MEMCPY2D m{};
  m.srcMemoryType = from_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  m.srcHost = host;
  m.srcDevice = c.from;
  m.srcPitch = from_host ? c.columns : c.from_pitch;
  m.dstMemoryType = to_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  m.dstHost = host;
  m.dstDevice = c.to;
  m.dstPitch = to_host ? c.columns : c.to_pitch;
  m.WidthInBytes = c.columns;
  m.Height = c.rows;
  return card_->check(cu.cuMemcpy2DAsync(&m, s), "a copy of rows", Fault::Kind::launch);
}

Outcome<void> Program::play(const DeviceRecord& r, size_t) const {
  if (serial_) return {};
  // Without side streams there are no events: the order of the one stream is all.
  if (!events_[r.event]) return {};
  return card_->check(card_->cu.cuEventRecord(events_[r.event], stream_of(r.stream)), "cuEventRecord", Fault::Kind::launch);
}
Outcome<void> Program::play(const DeviceWait& w, size_t) const {
  if (serial_ || !events_[w.event]) return {};
  return card_->check(card_->cu.cuStreamWaitEvent(stream_of(w.stream), events_[w.event], 0), "cuStreamWaitEvent", Fault::Kind::launch);
}

Outcome<void> Program::fork() const {
  if (plan_.side_streams.empty() || serial_) return {};
  KBX_TRY(card_->check(card_->cu.cuEventRecord(fork_, card_->stream()), "cuEventRecord", Fault::Kind::launch));
  for (uint32_t s : plan_.side_streams) KBX_TRY(card_->check(card_->cu.cuStreamWaitEvent(streams_[s], fork_, 0), "cuStreamWaitEvent", Fault::Kind::launch));
  return {};
}
Outcome<void> Program::join() const {
  if (serial_) return {};
  for (size_t k = 0; k < plan_.side_streams.size(); k++) {
    KBX_TRY(card_->check(card_->cu.cuEventRecord(joins_[k], streams_[plan_.side_streams[k]]), "cuEventRecord", Fault::Kind::launch));
    KBX_TRY(card_->check(card_->cu.cuStreamWaitEvent(card_->stream(), joins_[k], 0), "cuStreamWaitEvent", Fault::Kind::launch));
  }
  return {};
}

Outcome<void> Program::enqueue() const {
  KBX_TRY(fork());
  for (size_t k = 0; k < tape_->entries.size(); k++)
    if (plan_.keep[k]) KBX_TRY(std::visit([&](const auto& v) { return play(v, k); }, tape_->entries[k]));
  return join();
}

void Program::drop_graph() {
  if (graph_) card_->cu.cuGraphExecDestroy(graph_);
  graph_ = nullptr;
}

Outcome<void> Program::capture() {
  const cuda::Driver& cu = card_->cu;
  drop_graph();
  KBX_TRY(card_->check(cu.cuStreamBeginCapture(card_->stream(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "cuStreamBeginCapture", Fault::Kind::launch));
  auto played = enqueue();
  CUgraph graph = nullptr;
  auto ended = card_->check(cu.cuStreamEndCapture(card_->stream(), &graph), "cuStreamEndCapture", Fault::Kind::launch);
  if (played && ended) ended = card_->check(cu.cuGraphInstantiate(&graph_, graph, 0), "cuGraphInstantiate", Fault::Kind::launch);
  if (graph) cu.cuGraphDestroy(graph);
  bool failed = !played || !ended;
  if (failed && !plan_.side_streams.empty() && !serial_) {
    serial_ = true;
    note("streams played one after the other");
    return capture();
  }
  if (!played) return played;
  KBX_TRY(std::move(ended));
  return card_->check(cu.cuGraphUpload(graph_, card_->stream()), "cuGraphUpload", Fault::Kind::launch);
}

Outcome<void> Program::enqueue_graph() {
  if (!graph_) KBX_TRY(capture());
  return card_->check(card_->cu.cuGraphLaunch(graph_, card_->stream()), "cuGraphLaunch", Fault::Kind::launch);
}

}  // namespace kbx::clock
