// What can be said about a call only here, where its arguments are still there, becomes an entry; what cannot be
// replayed becomes trouble, and the entry is left out.
#include "probe/recorder.h"

#include <cuda.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace kbx::probe {
namespace {

constexpr size_t kMaxTroubles = 32, kMaxAttributes = 16, kMaxEntries = 1 << 18, kMaxScanned = 64 << 10;

uint64_t span_of(uint64_t row, uint64_t pitch, uint64_t rows) {
  uint64_t span = 0;
  if (rows == 0 || row == 0) return 0;
  if (__builtin_mul_overflow(pitch, rows - 1, &span) || __builtin_add_overflow(span, row, &span)) return UINT64_MAX;
  return span;
}

// Attributes that name handles of this process, which a replay cannot have.
bool names_handles(const Bytes& attributes) {
  for (size_t k = 0; k + sizeof(CUlaunchAttribute) <= attributes.size(); k += sizeof(CUlaunchAttribute)) {
    CUlaunchAttributeID id;
    std::memcpy(&id, attributes.data() + k, sizeof id);
    if (id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT || id == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT ||
        id == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE)
      return true;
  }
  return false;
}

}  // namespace

Recorder::Recorder(Lookup& lookup, const Arena& arena)
    : lookup_(lookup),
      arena_(arena),
      handles_(lookup),
      streams_(entries_, [&lookup](Handle s) { return lookup.blocking(s); }) {}

void Recorder::reset() {
  inputs_.clear();
  outputs_.clear();
  snapshots_.clear();
  touched_.clear();
}

void Recorder::start(Handle current_stream) {
  entries_.clear();
  numbers_.clear();
  functions_.clear();
  live_.clear();
  outputs_.clear();
  touched_.clear();
  threads_.clear();
  calls_.clear();
  trouble_.clear();
  captures_ = 0;
  host_bytes_ = 0;
  first_serial_ = arena_.next_serial();
  streams_.start(current_stream);
  for (const auto& [at, block] : arena_.heap().live()) live_.push_back({at, block.bytes});
  recording_ = true;
}

void Recorder::stop() { recording_ = false; }

void Recorder::trouble(std::string why) {
  if (trouble_.size() < kMaxTroubles && std::find(trouble_.begin(), trouble_.end(), why) == trouble_.end())
    trouble_.push_back(std::move(why));
}

bool Recorder::pack(const LaunchCall& call, const LoadedFunction& f, Bytes& out, std::string& why) const {
  out.assign(f.parameter_bytes, std::byte{0});
  if (!call.packed.empty()) {
    std::copy_n(call.packed.begin(), std::min(out.size(), call.packed.size()), out.begin());
  } else if (call.values) {
    for (size_t k = 0; k < f.parameters.size(); k++)
      std::memcpy(out.data() + f.parameters[k].offset, call.values[k], f.parameters[k].size);
  } else if (call.extra) {
    const void* buffer = nullptr;
    size_t bytes = out.size();
    for (auto e = call.extra; *e != CU_LAUNCH_PARAM_END; e += 2) {
      if (e[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = e[1];
      if (e[0] == CU_LAUNCH_PARAM_BUFFER_SIZE) std::memcpy(&bytes, e[1], sizeof bytes);
    }
    if (buffer && !out.empty()) std::memcpy(out.data(), buffer, std::min(bytes, out.size()));
  } else if (!f.parameters.empty()) {
    why = fmt::format("{} was launched without parameters", f.name);
    return false;
  }
  return true;
}

uint32_t Recorder::function_number(const LaunchCall& call, const LoadedFunction& f) {
  auto [it, is_new] = numbers_.try_emplace({handles_.canonical(call.function), f.image}, uint32_t(functions_.size()));
  if (is_new) functions_.push_back({uint32_t(f.image), f.name, -1, -1, -1, -1, f.parameters});
  FunctionAttributes a = handles_.attributes_of(call.function);
  DeviceFunction& out = functions_[it->second];
  out.dynamic_shared = a.dynamic_shared, out.cache_config = a.cache_config;
  out.nonportable_cluster = a.nonportable_cluster, out.carveout = a.carveout;
  return it->second;
}

void Recorder::launch(const LaunchCall& call) {
  if (capturing(call.stream)) return;
  std::string why;
  const LoadedFunction* f = handles_.resolve(call.function, call.symbol.empty() ? nullptr : call.symbol.c_str(), why);
  DeviceLaunch out;
  if (!f || !pack(call, *f, out.parameters, why)) return trouble(why);
  if (call.attributes.size() > kMaxAttributes * sizeof(CUlaunchAttribute) || names_handles(call.attributes))
    return trouble(fmt::format("{} was launched with attributes that name events", f->name));
  if (entries_.size() >= kMaxEntries) return trouble("the call does too much: more than 262144 entries");
  touch_words(out.parameters);
  threads_.insert(syscall(SYS_gettid));
  out.function = function_number(call, *f);
  out.grid = call.grid, out.block = call.block;
  out.shared = call.shared, out.cooperative = call.cooperative;
  out.attributes = call.attributes;
  out.stream = streams_.use(call.stream);
  entries_.push_back(std::move(out));
}

void Recorder::fill(const FillCall& call) {
  if (capturing(call.stream) || call.columns == 0 || call.rows == 0) return;
  if (!inside("a fill", call.at, call.columns * call.width, call.pitch, call.rows)) return;
  uint32_t stream = streams_.use(call.stream);
  entries_.push_back(DeviceFill{call.at, call.width, call.value, call.pitch, call.columns, call.rows, stream});
}

void Recorder::copy(const CopyCall& call) {
  using Side = CopyCall::Side;
  if (capturing(call.stream) || call.columns == 0 || call.rows == 0) return;
  auto on_device = [&](Side side, uint64_t at) {
    return side == Side::device || (side == Side::unknown && lookup_.on_device(at));
  };
  bool reads = on_device(call.from_side, call.from), writes = on_device(call.to_side, call.to);
  if (!reads && !writes) return;  // host to host
  DeviceCopy out{writes ? reads ? DeviceCopy::Kind::on_device : DeviceCopy::Kind::to_device
                        : DeviceCopy::Kind::to_host};
  if (writes && !inside("a copy", call.to, call.columns, call.to_pitch, call.rows)) return;
  if (reads && !inside("a copy", call.from, call.columns, call.from_pitch, call.rows)) return;
  out.to = writes ? call.to : 0, out.from = reads ? call.from : 0;
  out.columns = call.columns, out.rows = call.rows, out.to_pitch = writes ? call.to_pitch : 0,
  out.from_pitch = reads ? call.from_pitch : 0;
  if (!reads) {
    host_bytes_ += call.columns * call.rows;
    if (host_bytes_ > kMaxHostBytes)
      return trouble(fmt::format("the call copies more than {} MiB from the host", kMaxHostBytes >> 20));
    for (uint64_t r = 0; r < call.rows; r++) {
      auto row = reinterpret_cast<const std::byte*>(call.from + r * call.from_pitch);
      out.data.insert(out.data.end(), row, row + call.columns);
    }
    if (out.data.size() <= kMaxScanned) touch_words(out.data);  // a table of pointers
  }
  out.stream = streams_.use(call.stream);
  entries_.push_back(std::move(out));
  if (call.waits) streams_.host_waited_for_stream(call.stream);
}

void Recorder::play(const std::vector<AnyCall>& graph, Handle stream) {
  for (AnyCall call : graph)
    std::visit(
        [&](auto& c) {
          c.stream = stream;
          if constexpr (std::is_same_v<std::decay_t<decltype(c)>, LaunchCall>)
            launch(c);
          else if constexpr (std::is_same_v<std::decay_t<decltype(c)>, FillCall>)
            fill(c);
          else
            copy(c);
        },
        call);
}

void Recorder::allocated(uint64_t at, uint64_t bytes) { live_.push_back({at, bytes}); }

bool Recorder::inside(const char* what, uint64_t at, uint64_t row, uint64_t pitch, uint64_t rows) {
  const Block* block = arena_.heap().find(at);
  uint64_t span = span_of(row, pitch, rows);
  if (!block || span > block->at + block->bytes - at) {
    trouble(fmt::format("{} of {} bytes at {:#x} lies outside the arena's allocations", what, span, at));
    return false;
  }
  touch(at);
  return true;
}

void Recorder::touch(uint64_t address) {
  if (const Block* block = arena_.heap().find(address)) {
    if (block->serial < first_serial_) touched_[block->at] = *block;
    return;
  }
  // Unused bytes of a parameter structure may still hold an address of an earlier launch. A kernel that does use one
  // faults in the replay, where nothing lies there.
  if (arena_.is_scratch(address)) return;
  auto it = foreign_.upper_bound(address);
  if (it != foreign_.begin() && address - std::prev(it)->first < std::prev(it)->second)
    trouble("a launch is given memory outside the arena");
}

// Every aligned word that is the address of an allocation counts as a pointer, inside structures and tensor maps too.
void Recorder::touch_words(const Bytes& bytes) {
  for (size_t k = 0; k + 8 <= bytes.size(); k += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + k, 8);
    if (word >= 1 << 20) touch(word);
  }
}

}  // namespace kbx::probe
