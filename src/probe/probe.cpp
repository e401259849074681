// Theory of operation: CUPTI calls back on the thread that calls the driver; a mutex guards the recorder, and a flag of
// the thread keeps the driver calls that the recorder itself makes from coming back to it. The C functions have no
// argument that could carry an object (torch's allocator takes bare functions), so here, and only here, is a global
// one.
#include "probe/probe.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>

#include "base/text.h"
#include "probe/adapter.h"
#include "probe/cupti.h"
#include "probe/driver_lookup.h"

namespace kbx::probe {
namespace {

using Clock = std::chrono::steady_clock;

thread_local int inside = 0;
thread_local std::string words;

class Inside {
 public:
  explicit Inside(std::recursive_mutex& mutex) : lock_(mutex) { inside++; }
  ~Inside() { inside--; }
  Inside(const Inside&) = delete;

 private:
  std::lock_guard<std::recursive_mutex> lock_;
};

struct Process {
  Process(cuda::Driver d, Cupti c, uint64_t base)
      : driver(d),
        cupti(std::move(c)),
        lookup(driver),
        memory(driver),
        arena(memory, base),
        recorder(lookup, arena),
        adapter(driver, recorder) {}
  cuda::Driver driver;
  Cupti cupti;
  DriverLookup lookup;
  DriverMemory memory;
  Arena arena;
  Recorder recorder;
  Adapter adapter;
  Clock::duration busy{};
  Bytes dumped;
  uint64_t entries = 0;
};

struct Global {
  std::recursive_mutex mutex;
  std::unique_ptr<Process> process;
};
// Never destroyed: callbacks come until the very end of the process.
Global& global() {
  static Global* g = new Global;
  return *g;
}

const char* say(std::string text) {
  words = std::move(text);
  return words.empty() ? nullptr : words.c_str();
}

void CUPTIAPI on_call(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  if (inside || domain != CUPTI_CB_DOMAIN_DRIVER_API) return;
  Global& g = global();
  Inside guard(g.mutex);
  if (!g.process) return;
  auto start = Clock::now();
  auto& c = *static_cast<const CUpti_CallbackData*>(data);
  DriverCall call{
      id,          c.callbackSite == CUPTI_API_ENTER, c.functionName ? c.functionName : "", nullptr, c.functionParams,
      CUDA_SUCCESS};
  if (call.enters)
    call.symbol = c.symbolName;
  else if (c.functionReturnValue)
    call.result = *static_cast<const CUresult*>(c.functionReturnValue);
  g.process->adapter.take(call);
  if (g.process->recorder.recording()) g.process->busy += Clock::now() - start;
}

// torch takes a null pointer from a pluggable allocator for memory. Only an exception of its own makes its error, and
// only its own code can throw that one: a function of libc10 does, through the frame of kbx_probe_malloc, which
// therefore has nothing to clean up.
using Raise = void (*)(const char* function, const char* file, uint32_t line, const char* message);
[[gnu::noinline]] Raise torch_raise() {
  const char* symbol = "_ZN3c106detail14torchCheckFailEPKcS2_jS2_";
  void* found = dlsym(RTLD_DEFAULT, symbol);
  if (!found)
    if (void* library = dlopen("libc10.so", RTLD_NOW | RTLD_NOLOAD)) found = dlsym(library, symbol);
  return reinterpret_cast<Raise>(found);
}

[[gnu::noinline]] uint64_t take(int64_t bytes) {
  Global& g = global();
  Inside guard(g.mutex);
  uint64_t at = g.process && bytes >= 0 ? g.process->arena.allocate(uint64_t(bytes)) : 0;
  if (at && g.process->recorder.recording()) g.process->recorder.allocated(at, uint64_t(bytes));
  if (!at)
    words = fmt::format("CUDA out of memory. Tried to allocate {} bytes: {}", bytes,
                        g.process ? g.process->arena.error() : "the probe was not started");
  return at;
}

// One call from python: needs init, holds the lock, keeps no exception.
template <class F>
const char* guarded(F body) {
  Global& g = global();
  Inside guard(g.mutex);
  if (!g.process) return say("the probe was not started");
  return say(body(*g.process));
}

}  // namespace
}  // namespace kbx::probe

using namespace kbx;
using namespace kbx::probe;

const char* kbx_probe_init(const char* cupti_paths, uint64_t base) {
  Global& g = global();
  Inside guard(g.mutex);
  if (g.process) return say("the probe was started before");
  if (base % kDeviceBaseAlign || base < kDeviceBaseFirst || base > kDeviceBaseLast)
    return say("the arena's base is no address for one");
  auto driver = cuda::load_driver();
  if (!driver) return say(driver.error().message);
  std::vector<std::string> paths;
  for (auto path : split(cupti_paths ? cupti_paths : "", '\n'))
    if (!path.empty()) paths.emplace_back(path);
  auto cupti = Cupti::load(paths);
  if (!cupti) return say(cupti.error().message);
  g.process = std::make_unique<Process>(*driver, std::move(*cupti), base);
  std::string why = g.process->cupti.subscribe(on_call, nullptr, always_wanted());
  if (!why.empty()) g.process.reset();
  return say(why);
}

void* kbx_probe_malloc(ssize_t bytes, int, void*) {
  uint64_t at = take(bytes);
  if (!at)
    if (Raise raise = torch_raise()) raise("kbx_probe_malloc", "probe.cpp", 0, words.c_str());
  return reinterpret_cast<void*>(at);
}

void kbx_probe_free(void* at, ssize_t, int, void*) {
  Global& g = global();
  Inside guard(g.mutex);
  if (g.process) g.process->arena.free(reinterpret_cast<uint64_t>(at));
}

void kbx_probe_scratch(int on) {
  guarded([&](Process& p) {
    p.arena.scratch(on != 0);
    return std::string();
  });
}

const char* kbx_probe_reset() {
  return guarded([](Process& p) {
    p.recorder.reset();
    p.dumped = {};
    return std::string();
  });
}

const char* kbx_probe_tensor(int output, const char* name, const char* dtype, uint64_t storage, uint64_t storage_bytes,
                             int64_t offset, int dims, const int64_t* shape, const int64_t* stride) {
  return guarded([&](Process& p) -> std::string {
    DeviceTensor t;
    auto known = dtype_from_text(dtype ? dtype : "");
    if (!known || !name || dims < 0 || dims > 64) return "no such tensor";
    t.name = name, t.dtype = *known, t.offset = offset;
    t.shape.assign(shape, shape + dims);
    t.stride.assign(stride, stride + dims);
    t.storage = {storage, storage_bytes};
    if (storage_bytes == 0)
      t.storage.at = p.arena.base();
    else if (const Block* b = p.arena.heap().find(storage); !b || storage + storage_bytes > b->at + b->bytes)
      return fmt::format("{} does not lie in the arena", name);
    if (output)
      p.recorder.add_output(std::move(t));
    else
      p.recorder.add_input(std::move(t));
    return "";
  });
}

const char* kbx_probe_start(const void* current_stream) {
  return guarded([&](Process& p) {
    p.busy = {};
    std::string why = p.cupti.record(true);
    if (why.empty()) p.recorder.start(current_stream);
    return why;
  });
}

const char* kbx_probe_stop() {
  return guarded([](Process& p) {
    p.recorder.stop();
    return p.cupti.record(false);
  });
}

const char* kbx_probe_snapshot() {
  return guarded([](Process& p) {
    p.recorder.snapshot();
    return std::string();
  });
}

const char* kbx_probe_trouble(const char* why) {
  return guarded([&](Process& p) {
    p.recorder.trouble(why ? why : "");
    return std::string();
  });
}

int64_t kbx_probe_write(void* to, uint64_t capacity) {
  int64_t size = -1;
  guarded([&](Process& p) {
    if (p.dumped.empty()) {
      DeviceTape tape = p.recorder.tape();
      p.entries = tape.entries.size();
      p.dumped = dump_device_tape(tape);
    }
    size = int64_t(p.dumped.size());
    if (uint64_t(size) <= capacity) {
      std::memcpy(to, p.dumped.data(), p.dumped.size());
      p.dumped = {};
    }
    return std::string();
  });
  return size;
}

const char* kbx_probe_error() { return words.c_str(); }

const char* kbx_probe_check(const void* bytes, uint64_t size) {
  auto tape = parse_device_tape(static_cast<const std::byte*>(bytes), size);
  if (!tape) return say("refused: " + tape.error().message);
  size_t fills = 0, copies = 0, to_host = 0;
  for (const DeviceEntry& e : tape->entries) {
    fills += std::holds_alternative<DeviceFill>(e);
    if (auto c = std::get_if<DeviceCopy>(&e)) copies++, to_host += c->kind == DeviceCopy::Kind::to_host;
  }
  return say(
      fmt::format("ok launches={} fills={} copies={} to_host={} entries={} images={} functions={} inputs={} outputs={} "
                  "constants={} streams={} events={} threads={} arena={} trouble={}",
                  tape->launches(), fills, copies, to_host, tape->entries.size(), tape->images.size(),
                  tape->functions.size(), tape->inputs.size(), tape->outputs.size(), tape->constants.size(),
                  tape->streams, tape->events, tape->threads, tape->bytes, fmt::join(tape->trouble, "; ")));
}

void kbx_probe_figures(uint64_t out[4]) {
  std::memset(out, 0, 4 * sizeof out[0]);
  guarded([&](Process& p) {
    out[0] = p.arena.mapped(), out[1] = p.recorder.handles().images(), out[2] = p.entries;
    out[3] = uint64_t(std::chrono::duration_cast<std::chrono::microseconds>(p.busy).count());
    return std::string();
  });
}
