// A device that is not there: memory that is only counted, and answers that a test lays out.
#pragma once
#include <cstring>
#include <map>
#include <set>

#include "probe/arena.h"
#include "probe/lookup.h"

namespace kbx::probe {

inline constexpr uint64_t kBase = 0x500000000000;

struct FakeMemory : Memory {
  uint64_t limit = uint64_t(8) << 30, used = 0;
  int reserved = 0, maps = 0;
  std::map<uint64_t, uint64_t> mapped;
  std::string reserve(uint64_t, uint64_t) override { return reserved++ ? "reserved twice" : ""; }
  std::string map(uint64_t at, uint64_t bytes) override {
    maps++;
    if (used + bytes > limit) return "no memory";
    used += bytes;
    mapped[at] = bytes;
    return "";
  }
  void unmap(uint64_t at, uint64_t bytes) override {
    used -= bytes;
    mapped.erase(at);
  }
  bool has(uint64_t at, uint64_t bytes) const {
    for (uint64_t done = at; done < at + bytes;) {
      auto it = mapped.upper_bound(done);
      if (it == mapped.begin()) return false;
      --it;
      if (done >= it->first + it->second) return false;
      done = it->first + it->second;
    }
    return true;
  }
};

struct FakeLookup : Lookup {
  std::vector<DeviceParameter> parameters{{0, 8}, {8, 8}, {16, 4}};
  std::string parameters_why;
  std::map<Handle, Handle> modules, libraries;
  std::map<Handle, std::string> names;
  std::set<Handle> blocking_streams, capturing_streams;
  uint64_t device_from = kBase, device_to = kBase + (uint64_t(256) << 30);
  std::byte content{0x5a};
  int reads = 0;

  Handle module_of(Handle f) override { return modules.count(f) ? modules[f] : nullptr; }
  Handle library_of(Handle k) override { return libraries.count(k) ? libraries[k] : nullptr; }
  std::string name_of(Handle f) override { return names.count(f) ? names[f] : ""; }
  std::string parameters_of(Handle, std::vector<DeviceParameter>& out) override {
    out = parameters;
    return parameters_why;
  }
  bool on_device(uint64_t at) override { return at >= device_from && at < device_to; }
  bool blocking(Handle s) override { return blocking_streams.count(s) != 0; }
  bool capturing(Handle s) override { return capturing_streams.count(s) != 0; }
  bool read(uint64_t, void* to, uint64_t bytes) override {
    reads++;
    std::memset(to, int(content), bytes);
    return true;
  }
};

inline Handle handle(uintptr_t n) { return Handle(n << 12); }

// A valid image on the heap: an ELF64 header with one section of 32 bytes behind the headers.
Bytes tiny_elf();

}  // namespace kbx::probe
