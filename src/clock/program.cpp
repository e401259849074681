// Making a program: everything that is done once.
#include "clock/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "clock/launch_attributes.h"

namespace kbx::clock {
namespace {

constexpr uint64_t kPayloadStep = 256, kMostToHost = uint64_t(64) << 20;

}  // namespace

Program& Program::operator=(Program&& other) noexcept {
  std::swap(card_, other.card_);
  std::swap(tape_, other.tape_);
  std::swap(functions_, other.functions_);
  std::swap(launches_, other.launches_);
  std::swap(payload_, other.payload_);
  std::swap(host_, other.host_);
  std::swap(plan_, other.plan_);
  std::swap(streams_, other.streams_);
  std::swap(events_, other.events_);
  std::swap(fork_, other.fork_);
  std::swap(joins_, other.joins_);
  std::swap(serial_, other.serial_);
  std::swap(graph_, other.graph_);
  std::swap(notes_, other.notes_);
  return *this;
}
Program::~Program() {
  if (!card_) return;
  drop_graph();
  const cuda::Driver& cu = card_->cu;
  for (CUstream s : streams_)
    if (s) cu.cuStreamDestroy(s);
  for (CUevent e : events_)
    if (e) cu.cuEventDestroy(e);
  for (CUevent e : joins_) cu.cuEventDestroy(e);
  if (fork_) cu.cuEventDestroy(fork_);
}

void Program::note(std::string text) {
  if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.push_back(std::move(text));
}

Outcome<Program> Program::make(const Card& card, const DeviceTape& tape, const Images& images) {
  Program out;
  out.card_ = &card;
  out.tape_ = &tape;
  out.plan_ = plan_streams(tape);
  KBX_TRY(out.resolve(images));
  out.launches_.resize(tape.entries.size());
  std::set<uint32_t> started;
  for (size_t k = 0; k < tape.entries.size(); k++) {
    auto launch = std::get_if<DeviceLaunch>(&tape.entries[k]);
    uint32_t stream = std::visit([](const auto& v) { return v.stream; }, tape.entries[k]);
    bool first = started.insert(stream).second;
    if (!launch) continue;
    LaunchAttributes attributes = launch_attributes(*launch, first);
    for (unsigned id : attributes.dropped) out.note(fmt::format("launch attribute {} not repeated", id));
    KBX_TRY(out.check_parameters(*launch));
    Launch& l = out.launches_[k];
    l.from = launch;
    l.attributes = std::move(attributes.kept);
    auto bytes = const_cast<std::byte*>(launch->parameters.data());
    for (const DeviceParameter& p : tape.functions[launch->function].parameters) l.arguments.push_back(bytes + p.offset);
    l.arguments.push_back(nullptr);
  }
  KBX_TRY(out.prepare_copies());
  KBX_TRY(out.make_streams());
  return out;
}

// The driver reads as many parameters as the kernel has, of the sizes the kernel has: what a tape says must be no less.
Outcome<void> Program::check_parameters(const DeviceLaunch& launch) const {
  const DeviceFunction& f = tape_->functions[launch.function];
  if (!card_->cu.cuFuncGetParamInfo) return {};  // an older driver: see play()
  CUfunction function = functions_[launch.function];
  size_t offset = 0, size = 0, count = 0;
  for (; card_->cu.cuFuncGetParamInfo(function, count, &offset, &size) == CUDA_SUCCESS; count++)
    if (count >= f.parameters.size() || f.parameters[count].size < size)
      return fault(Fault::Kind::tape, fmt::format("{} has more parameters than the tape says", f.name));
  if (count != f.parameters.size()) return fault(Fault::Kind::tape, fmt::format("{} has {} parameters, not {}", f.name, count, f.parameters.size()));
  return {};
}

Outcome<void> Program::find_function(const DeviceFunction& f, const Images& images, CUfunction& out) const {
  const cuda::Driver& cu = card_->cu;
  auto attribute = [&](CUfunction_attribute which, int value) {
    return value < 0 ? Outcome<void>() : card_->check(cu.cuFuncSetAttribute(out, which, value), "cuFuncSetAttribute", Fault::Kind::function);
  };
  KBX_TRY(card_->check(cu.cuModuleGetFunction(&out, images.module_of(f.image), f.name.c_str()), f.name.c_str(), Fault::Kind::function));
  KBX_TRY(attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f.dynamic_shared));
  KBX_TRY(attribute(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, f.nonportable_cluster));
  KBX_TRY(attribute(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, f.carveout));
  if (f.cache_config >= 0) KBX_TRY(card_->check(cu.cuFuncSetCacheConfig(out, CUfunc_cache(f.cache_config)), "cuFuncSetCacheConfig", Fault::Kind::function));
  return {};
}

Outcome<void> Program::resolve(const Images& images) {
  drop_graph();
  functions_.assign(tape_->functions.size(), nullptr);
  std::set<uint32_t> used;
  for (const DeviceEntry& e : tape_->entries)
    if (auto launch = std::get_if<DeviceLaunch>(&e)) used.insert(launch->function);
  for (uint32_t k : used) KBX_TRY(find_function(tape_->functions[k], images, functions_[k]));
  return {};
}

// One page-locked block: bytes for the card, and room for what the tape copies to its host and nobody reads.
Outcome<void> Program::prepare_copies() {
  uint64_t size = 0, to_host = 0;
  payload_.assign(tape_->entries.size(), 0);
  for (size_t k = 0; k < tape_->entries.size(); k++) {
    auto copy = std::get_if<DeviceCopy>(&tape_->entries[k]);
    if (!copy) continue;
    uint64_t bytes = 0;
    if (copy->kind == DeviceCopy::Kind::to_device) bytes = copy->data.size();
    if (copy->kind == DeviceCopy::Kind::to_host && __builtin_mul_overflow(copy->columns, copy->rows, &bytes)) bytes = UINT64_MAX;
    if (copy->kind == DeviceCopy::Kind::to_host) {
      if (bytes > kMostToHost) note("a large copy to the host is not played");
      else to_host = std::max(to_host, bytes);
      payload_[k] = bytes > kMostToHost ? UINT64_MAX : 0;
    } else {
      payload_[k] = size;
      size += rounded_up(bytes, kPayloadStep);
    }
  }
  if (size + to_host == 0) return {};
  KBX_TRY_ASSIGN(host_, Pinned::make(*card_, size + to_host));
  for (size_t k = 0; k < tape_->entries.size(); k++) {
    auto copy = std::get_if<DeviceCopy>(&tape_->entries[k]);
    if (!copy || copy->kind == DeviceCopy::Kind::on_device) continue;
    if (copy->kind == DeviceCopy::Kind::to_host) payload_[k] = payload_[k] == UINT64_MAX ? UINT64_MAX : size;
    else if (!copy->data.empty()) std::memcpy(host_.data() + payload_[k], copy->data.data(), copy->data.size());
  }
  return {};
}

Outcome<void> Program::make_streams() {
  const cuda::Driver& cu = card_->cu;
  streams_.assign(tape_->streams, nullptr);
  events_.assign(tape_->events, nullptr);
  if (plan_.side_streams.empty()) return {};
  auto event = [&](CUevent& e) { return card_->check(cu.cuEventCreate(&e, CU_EVENT_DISABLE_TIMING), "cuEventCreate", Fault::Kind::memory); };
  KBX_TRY(event(fork_));
  for (uint32_t s : plan_.side_streams) {
    KBX_TRY(card_->check(cu.cuStreamCreate(&streams_[s], CU_STREAM_NON_BLOCKING), "cuStreamCreate", Fault::Kind::memory));
    CUevent join = nullptr;
    KBX_TRY(event(join));
    joins_.push_back(join);
  }
  for (uint32_t e : plan_.events) KBX_TRY(event(events_[e]));
  return {};
}

}  // namespace kbx::clock
