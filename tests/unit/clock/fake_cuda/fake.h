// The state of the fake driver. KBX_FAKE="key=value,key=value" says what goes wrong:
//   address=1     an arena's address is taken            image=1    an image is refused
//   memory=N      the Nth cuMemCreate and later fail      free=N     bytes that are free
//   launch=1      a launch of a candidate is refused      spike=N    every Nth timed graph takes ten times as long
//   low_from=N, low_to=M   the clock probe shows 1400 instead of 1980 MHz from its Nth to its Mth call
// A candidate's kernel NAME_usT takes T microseconds; NAME: scale (to = 2 from), copy, overrun (scale, and 24 words past
// the end), hang (never ends), illegal (a memory fault), nothing. Its parameters: from, to, count, of floats.
#pragma once
#include <cuda.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

struct FakeModule {
  bool trusted = false;
  std::map<std::string, struct FakeFunction*> functions;
};
struct FakeFunction {
  std::string name;
  bool trusted = false;
  double us = 1;
};
struct FakeGraph {
  std::vector<std::function<void()>> work;
};

struct Fake {
  std::map<std::string, long> settings;
  std::map<uint64_t, int> files;     // physical memory: handle -> memfd
  uint64_t next_handle = 1;
  long creations = 0, probes = 0, timed = 0, modules = 0;
  double now_us = 0;
  bool hung = false;
  CUresult sticky = CUDA_SUCCESS;
  FakeGraph* capturing = nullptr;
  uint64_t noise = 1;

  long setting(const char* key) const {
    auto at = settings.find(key);
    return at == settings.end() ? 0 : at->second;
  }
};
Fake& fake();
// Runs now, or at every launch of the graph that is being captured.
CUresult enqueue(std::function<void()> work);
void run_trusted(const std::string& name, void** arguments);
